package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class DirectoryStoreTest {

  private static final String RUN = "killian";
  private static final SortedMap<String, String> IDENTITY =
      new TreeMap<>(Map.of("slam.seed", "1", "slam.particles", "30"));

  @TempDir private Path folder;

  private final List<String> unusable = new ArrayList<>();

  private DirectoryStore store() {
    return new DirectoryStore(folder);
  }

  private Manifest checkpoint(long epoch, long reading) throws IOException {
    CheckpointId id = new CheckpointId(RUN, epoch, reading);
    CheckpointPart matcher = store().write(id, "matcher-0", buffer("particles after " + id));
    CheckpointPart dispatcher = store().write(id, "dispatcher", buffer("odometry after " + id));
    Manifest manifest = new Manifest(id, "0.1.0", IDENTITY, List.of(matcher, dispatcher));
    store().commit(manifest);
    return manifest;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ByteBuffer buffer(String text) {
    return ByteBuffer.wrap(bytes(text));
  }

  private Optional<Manifest> latest() throws IOException {
    unusable.clear();
    return store().latest(RUN, unusable::add);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(RUN))) {
      return files.sorted().toList();
    }
  }

  private Path fileOf(Manifest manifest, String ending) throws IOException {
    return fileOf(manifest.id(), ending);
  }

  private Path fileOf(CheckpointId id, String ending) throws IOException {
    String start = id.epoch() + "-" + id.reading() + ".";
    return files().stream()
        .filter(each -> each.getFileName().toString().startsWith(start + ending))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theLatestIsThatOfTheLatestEpoch() throws Exception {
    checkpoint(1, 250);
    checkpoint(1, 312);
    Manifest latest = checkpoint(2, 260);
    assertThat(latest()).contains(latest);
    assertThat(unusable).isEmpty();
    assertThat(store().read(latest.id(), latest.part("dispatcher")))
        .isEqualTo(bytes("odometry after " + latest.id()));
  }

  @Test
  void aFileBesideARunsCheckpointsStaysUntilTheRunIsDeleted() throws Exception {
    assertThat(store().readBeside(RUN, "attempts.json")).isEmpty();
    store().writeBeside(RUN, "attempts.json", buffer("1"));
    Manifest latest = checkpoint(2, 260);
    store().writeBeside(RUN, "attempts.json", buffer("2"));
    store().deleteBefore(latest.id());
    assertThat(store().readBeside(RUN, "attempts.json").orElseThrow()).isEqualTo(bytes("2"));
    assertThat(latest()).contains(latest);

    store().delete(RUN);
    assertThat(store().readBeside(RUN, "attempts.json")).isEmpty();
    assertThat(folder.resolve(RUN)).doesNotExist();
  }

  @Test
  void anEmptyStoreHasNone() throws Exception {
    assertThat(latest()).isEmpty();
  }

  @Test
  void partsWithoutAManifestDoNotCount() throws Exception {
    Manifest whole = checkpoint(1, 250);
    store()
        .write(
            new CheckpointId(RUN, 1, 312), "matcher-0", buffer("killed before it was committed"));
    assertThat(latest()).contains(whole);
    assertThat(unusable).isEmpty();
  }

  /**
   * Cut off at any byte, or with any byte changed: the one before is used, and a sentence says so.
   */
  @Test
  void whereAnyByteOfAnyFileIsWrongTheOneBeforeIsUsed() throws Exception {
    Manifest before = checkpoint(1, 250);
    Manifest damaged = checkpoint(1, 312);
    for (String ending : List.of("json", "matcher-0", "dispatcher")) {
      Path file = fileOf(damaged, ending);
      byte[] right = Files.readAllBytes(file);
      for (int i = 0; i < right.length; i++) {
        byte[] flipped = right.clone();
        flipped[i] ^= (byte) (1 << i % 8);
        Files.write(file, flipped);
        assertThat(latest()).as("%s, byte %d flipped", ending, i).contains(before);
        assertThat(unusable).singleElement().asString().contains("at reading 312");
      }
      for (int length = 0; length < right.length; length++) {
        Files.write(file, Arrays.copyOf(right, length));
        assertThat(latest()).as("%s, %d bytes of it", ending, length).contains(before);
        assertThat(unusable).singleElement().asString().contains("at reading 312");
      }
      Files.delete(file);
      assertThat(latest()).as("%s deleted", ending).contains(before);
      Files.write(file, right);
      assertThat(latest()).contains(damaged);
    }
  }

  @Test
  void anotherFormatIsNamed() throws Exception {
    Manifest manifest = checkpoint(1, 250);
    Path file = fileOf(manifest, "json");
    String text = Files.readString(file);
    Files.writeString(file, text.replaceFirst("checkpoint 2 ", "checkpoint 7 "));
    assertThat(latest()).isEmpty();
    assertThat(unusable)
        .singleElement()
        .asString()
        .contains("has format 7; this release reads format 2");
  }

  @Test
  void aManifestUnderAnotherNameIsRefused() throws Exception {
    Manifest manifest = checkpoint(1, 250);
    Files.move(fileOf(manifest, "json"), folder.resolve(RUN).resolve("1-900.json"));
    assertThat(latest()).isEmpty();
    assertThat(unusable).singleElement().asString().contains("its manifest says");
  }

  @Test
  void whatIsBeforeTheKeptOneIsDeleted() throws Exception {
    checkpoint(1, 250);
    checkpoint(1, 312);
    store().write(new CheckpointId(RUN, 1, 312), "matcher-0", buffer("of a writer that died"));
    String half = "1-300." + new UUID(1, 2) + ".part-being-written";
    Files.writeString(folder.resolve(RUN).resolve(half), "died, too");
    Manifest kept = checkpoint(2, 260);
    store().write(new CheckpointId(RUN, 2, 400), "matcher-0", buffer("of the next"));
    store().deleteBefore(kept.id());
    assertThat(files())
        .allMatch(each -> each.getFileName().toString().matches("2-(260|400)\\..*"))
        .hasSize(4);
    assertThat(latest()).contains(kept);
  }

  @Test
  void filesOfOthersAreLeftAlone() throws Exception {
    checkpoint(1, 250);
    Path run = folder.resolve(RUN);
    Files.createDirectories(run.resolve("1-200.json/mine"));
    for (String name :
        List.of("letter", "1-200.notes.txt", "2026-11.csv", "1-9999999999999999999.json")) {
      Files.writeString(run.resolve(name), "mine");
    }
    String half = "filter." + new UUID(1, 2) + ".part-being-written";
    Files.writeString(run.resolve(half), "of a writer that died");
    new DirectoryStore(folder).sweep(RUN);
    assertThat(run.resolve(half)).doesNotExist();

    Manifest kept = checkpoint(2, 260);
    store().deleteBefore(kept.id());
    assertThat(latest()).contains(kept);
    store().delete(RUN);

    assertThat(run.toFile().list())
        .containsExactlyInAnyOrder(
            "1-200.json", "letter", "1-200.notes.txt", "2026-11.csv", "1-9999999999999999999.json");
    assertThat(run.resolve("1-200.json/mine")).exists();
  }

  /** It is one file with two names, so nothing is written again. */
  @Test
  void aPartThatIsKeptWithALaterCutOutlivesItsOwn() throws Exception {
    Manifest before = checkpoint(1, 250);
    CheckpointPart part = before.part("matcher-0");
    CheckpointId later = new CheckpointId(RUN, 2, 260);
    store().keep(before.id(), part, later);
    store().keep(before.id(), part, later); // As when a task did not know that it had.
    assertThat(Files.readAttributes(fileOf(before, "matcher"), "unix:ino,nlink"))
        .containsEntry("nlink", 2)
        .isEqualTo(Files.readAttributes(fileOf(later, "matcher"), "unix:ino,nlink"));
    store().deleteBefore(later);

    assertThat(store().read(later, part)).isEqualTo(bytes("particles after " + before.id()));
    assertThatThrownBy(() -> store().keep(before.id(), part, new CheckpointId(RUN, 3, 1)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("1-250.matcher-0");
  }

  @Test
  void otherRunsAreLeftAlone() throws Exception {
    Manifest mine = checkpoint(1, 250);
    store().write(new CheckpointId("another", 1, 9), "matcher-0", buffer("x"));
    store().delete(RUN);
    assertThat(latest()).isEmpty();
    assertThat(folder.resolve(RUN)).doesNotExist();
    assertThat(folder.resolve("another")).isNotEmptyDirectory();
    assertThatThrownBy(() -> store().read(mine.id(), mine.part("matcher-0")))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("its part 'matcher-0' is missing");
  }

  @Test
  void anUnknownPartIsNamed() throws Exception {
    Manifest manifest = checkpoint(1, 250);
    assertThatThrownBy(() -> manifest.part("publisher"))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("no part 'publisher'; it has [matcher-0, dispatcher]");
  }

  @Test
  void whatDiffersIsNamed() throws Exception {
    Manifest manifest = checkpoint(1, 250);
    manifest.checkIdentity(IDENTITY);
    assertThatThrownBy(() -> manifest.checkIdentity(Map.of("slam.seed", "2", "log", "mine")))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("log is not in it and is mine now")
        .hasMessageContaining("slam.particles was 30 and is gone")
        .hasMessageContaining("slam.seed was 1 and is 2 now");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../x", "a/b", "a.b", "ü"})
  void aRunsNameIsNoPath(String name) {
    assertThatThrownBy(() -> new CheckpointId(name, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot name a run");
  }

  @Test
  void aStoreThatCannotBeWrittenSaysSo() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(
            () ->
                new DirectoryStore(file).write(new CheckpointId(RUN, 0, 1), "filter", buffer("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }
}
