package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state that grows by contents that never change is stored again and again, and they are not. */
@Quick
class SharedPartsTest {

  private static final String RUN = "killian";
  private static final FileTime LONG_AGO = FileTime.from(Instant.EPOCH);

  private static final class Block {
    private transient byte[] content;

    private Block(int number) {
      this.content = new byte[1000 + number];
    }

    private byte[] writeContent() {
      return content;
    }

    private void readContent(byte[] bytes) {
      content = bytes;
    }
  }

  @TempDir private Path folder;

  private final ArrayList<Block> state = new ArrayList<>();

  private CheckpointStore store() {
    return new DirectoryStore(folder);
  }

  private Manifest save(SharedParts sharedParts, long reading) throws IOException {
    state.add(new Block(state.size()));
    CheckpointId id = new CheckpointId(RUN, 1, reading);
    StateCodec.Encoded encoded = StateCodec.encode(state);
    List<CheckpointPart> parts =
        new ArrayList<>(sharedParts.write(RUN, "filter", encoded.contents()));
    parts.add(store().write(id, "filter", encoded.blocks()));
    Manifest manifest = new Manifest(id, "0.2.0", new TreeMap<>(), parts);
    store().commit(manifest);
    store().deleteBefore(id);
    return manifest;
  }

  private List<Path> shared() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(RUN))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("filter."))
          .sorted()
          .toList();
    }
  }

  private List<byte[]> restored(Manifest manifest) throws IOException {
    List<?> blocks = SharedParts.read(store(), manifest, "filter", ArrayList.class);
    return blocks.stream().map(each -> ((Block) each).content).toList();
  }

  private List<byte[]> contents() {
    return state.stream().map(each -> each.content).toList();
  }

  @Test
  void eachContentIsWrittenOnceAndStaysWithItsRun() throws Exception {
    SharedParts sharedParts = new SharedParts(store());
    save(sharedParts, 10);
    for (Path file : shared()) {
      Files.setLastModifiedTime(file, LONG_AGO);
    }
    Manifest second = save(sharedParts, 20);
    assertThat(shared()).hasSize(2);
    assertThat(Files.getLastModifiedTime(shared().get(0))).isEqualTo(LONG_AGO);
    assertThat(restored(second)).containsExactlyElementsOf(contents());

    // A process that takes over writes nothing again, though it knows of nothing.
    Manifest third = save(new SharedParts(store()), 30);
    assertThat(shared()).hasSize(3);
    assertThat(Files.getLastModifiedTime(shared().get(0))).isEqualTo(LONG_AGO);
    assertThat(store().latest(RUN, unusable -> {})).contains(third);
    assertThat(restored(third)).containsExactlyElementsOf(contents());

    store().delete(RUN);
    assertThat(folder.resolve(RUN)).doesNotExist();
  }

  @Test
  void whatSomebodyDeletedIsWrittenAgain() throws Exception {
    SharedParts sharedParts = new SharedParts(store());
    Manifest first = save(sharedParts, 10);
    Files.delete(shared().get(0));
    List<String> unusable = new ArrayList<>();
    assertThat(store().latest(RUN, unusable::add)).isEmpty();
    assertThat(unusable).singleElement().asString().contains("its part 'filter.0' is missing");
    assertThatThrownBy(() -> restored(first)).isInstanceOf(CheckpointException.class);

    Manifest second = save(sharedParts, 20);

    assertThat(restored(second)).containsExactlyElementsOf(contents());
  }

  /** As long as it was, and under the same name. */
  @Test
  void whatIsNotWhatWasWrittenIsNamedAndWrittenAgain() throws Exception {
    save(new SharedParts(store()), 10);
    Files.write(shared().get(0), new byte[] {1, 2, 3}, StandardOpenOption.WRITE);
    List<String> unusable = new ArrayList<>();
    assertThat(store().latest(RUN, unusable::add)).isEmpty();
    assertThat(unusable)
        .singleElement()
        .asString()
        .contains("its part 'filter.0' is not what was written (" + shared().get(0));

    Manifest second = save(new SharedParts(store()), 20);

    assertThat(store().latest(RUN, unusable::add)).contains(second);
    assertThat(restored(second)).containsExactlyElementsOf(contents());
  }

  @Test
  void aContentThatIsCutOffIsNotUsed() throws Exception {
    Manifest manifest = save(new SharedParts(store()), 10);
    Files.write(shared().get(0), new byte[10]);
    assertThatThrownBy(() -> restored(manifest))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("its part 'filter.0' has 10 of 1000 bytes");
  }
}
