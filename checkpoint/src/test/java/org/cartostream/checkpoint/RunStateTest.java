package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class RunStateTest {

  private static final CheckpointId ID = new CheckpointId("killian", 3, 250);
  private static final byte[] FIRST = new byte[5000];
  private static final byte[] SECOND = {};
  private static final byte[] SHARED = {1, 2, 3};

  @TempDir private Path folder;
  private Manifest manifest;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(FIRST);
    CheckpointStore store = new DirectoryStore(folder.resolve("there"));
    CheckpointPart first = store.write(ID, "matcher-0", ByteBuffer.wrap(FIRST));
    CheckpointPart second = store.write(ID, "publisher-0", ByteBuffer.wrap(SECOND));
    CheckpointPart shared = store.writeShared(ID.run(), "publisher-0.0", ByteBuffer.wrap(SHARED));
    manifest =
        new Manifest(
            ID, "0.2.0", new TreeMap<>(Map.of("seed", "1")), List.of(first, second, shared));
    store.commit(manifest);
    try (OutputStream out = Files.newOutputStream(file())) {
      RunState.write(out, store, manifest);
    }
  }

  private Path file() {
    return folder.resolve(RunState.FILE);
  }

  @Test
  void saysOfWhichReadingItIsAndWhetherThatIsTheRunsLast() {
    assertThat(manifest.hasAll()).isFalse();
    assertThat(manifest.place())
        .isEqualTo("reading 250 of 'killian', which is not known to be its end");
    assertThat(manifest.ofEnded(320).hasAll()).isFalse();
    assertThat(manifest.ofEnded(320).place())
        .isEqualTo("reading 250 of 320 of 'killian', not its end");
    assertThat(manifest.ofEnded(250).hasAll()).isTrue();
    assertThat(manifest.ofEnded(250).place()).isEqualTo("reading 250 of 250 of 'killian'");
  }

  @Test
  void isAnArchiveOfTheManifestAndItsParts() throws IOException {
    try (ZipFile zip = new ZipFile(file().toFile())) {
      byte[] first = content(zip, "manifest.json");
      assertThat(ManifestFile.decode(first, "the state", file())).isEqualTo(manifest);
      assertThat(content(zip, "matcher-0")).isEqualTo(FIRST);
      assertThat(content(zip, "publisher-0")).isEqualTo(SECOND);
      assertThat(content(zip, "publisher-0.0")).isEqualTo(SHARED);
      assertThat(zip.size()).isEqualTo(4);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**written");
  }

  @Test
  void isReadAgain() throws IOException {
    RunState state = RunState.open(file());

    assertThat(RunState.isOne(file())).isTrue();
    assertThat(state.manifest()).isEqualTo(manifest);
    assertThat(state.read("matcher-0")).isEqualTo(FIRST);
    assertThat(state.read("publisher-0")).isEqualTo(SECOND);
    assertThat(state.read("publisher-0.0")).isEqualTo(SHARED);
    assertThatThrownBy(() -> state.read("filter"))
        .hasMessageContaining(
            "has no part 'filter'; it has [matcher-0, publisher-0, publisher-0.0]");
  }

  @Test
  void whatIsNoneIsNamed() throws IOException {
    Path text = Files.writeString(folder.resolve("map.yaml"), "image: map.pgm\n");
    Path other = folder.resolve("other.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(other))) {
      zip.putNextEntry(new ZipEntry("letter.txt"));
    }

    assertThat(RunState.isOne(text)).isFalse();
    assertThatThrownBy(() -> RunState.open(text))
        .isInstanceOf(CheckpointException.class)
        .hasMessage(
            "'%s' is no state of a run; each run leaves one as run.state beside its map"
                .formatted(text));
    assertThatThrownBy(() -> RunState.open(folder))
        .hasMessageContaining("'" + folder + "' is no state of a run");
    assertThatThrownBy(() -> RunState.open(other))
        .hasMessage("'%s' is no state of a run: it has no 'manifest.json'".formatted(other));
    assertThatThrownBy(() -> RunState.open(folder.resolve("gone")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void oneThatIsCutOffOrDamagedIsNamed() throws IOException {
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> RunState.open(file()))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("the state is cut off or damaged (" + file());

    whole[whole.length / 2] ^= 1; // In the first part, which cannot be packed.
    Files.write(file(), whole);
    assertThatThrownBy(() -> RunState.open(file()).read("matcher-0"))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("the state is");
  }

  private static byte[] content(ZipFile zip, String name) throws IOException {
    return zip.getInputStream(zip.getEntry(name)).readAllBytes();
  }
}
