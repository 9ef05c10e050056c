package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStateTest {

  private static final Cut CUT = new Cut("killian", 3, 250);
  private static final byte[] FIRST = new byte[5000];
  private static final byte[] SECOND = {};

  @TempDir private Path folder;
  private Manifest manifest;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(FIRST);
    CheckpointStore store = new DirectoryStore(folder.resolve("there"));
    Part first = store.write(CUT, "matcher-0", ByteBuffer.wrap(FIRST));
    Part second = store.write(CUT, "publisher-0", ByteBuffer.wrap(SECOND));
    manifest =
        new Manifest(CUT, "0.2.0", new TreeMap<>(Map.of("seed", "1")), List.of(first, second));
    store.commit(manifest);
    RunState.write(file(), store, manifest);
  }

  private Path file() {
    return folder.resolve(RunState.FILE);
  }

  @Test
  void isAnArchiveOfTheManifestAndItsParts() throws IOException {
    try (ZipFile zip = new ZipFile(file().toFile())) {
      byte[] first = content(zip, "manifest.json");
      assertThat(ManifestFile.decode(first, "the state", file())).isEqualTo(manifest);
      assertThat(content(zip, "matcher-0")).isEqualTo(FIRST);
      assertThat(content(zip, "publisher-0")).isEqualTo(SECOND);
      assertThat(zip.size()).isEqualTo(3);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**written");
  }

  private static byte[] content(ZipFile zip, String name) throws IOException {
    return zip.getInputStream(zip.getEntry(name)).readAllBytes();
  }
}
