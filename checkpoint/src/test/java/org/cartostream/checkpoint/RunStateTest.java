package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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

  private DirectoryStore elsewhere() {
    return new DirectoryStore(folder.resolve("elsewhere"));
  }

  @Test
  void isTheSameCheckpointInAnotherStore() throws IOException {
    assertThat(RunState.read(file(), elsewhere())).isEqualTo(manifest);
    assertThat(elsewhere().latest("killian", unusable -> {})).contains(manifest);
    assertThat(elsewhere().read(CUT, manifest.part("matcher-0"))).isEqualTo(FIRST);
    assertThat(elsewhere().read(CUT, manifest.part("publisher-0"))).isEqualTo(SECOND);
    assertThat(folder).isDirectoryNotContaining("glob:**written");
  }

  /** Nothing counts in the store then. */
  @Test
  void isRefusedWhenItIsDamaged() throws IOException {
    byte[] whole = Files.readAllBytes(file());
    for (int bytes = 0; bytes < whole.length; bytes += 97) {
      Files.write(file(), Arrays.copyOf(whole, bytes));
      assertRefused();
    }
    for (int at = 0; at < 5000; at += 97) { // In the contents: their names lie behind them.
      byte[] damaged = whole.clone();
      damaged[600 + at % (whole.length - 1000)] ^= 4;
      Files.write(file(), damaged);
      assertRefused();
    }
  }

  private void assertRefused() throws IOException {
    assertThatThrownBy(() -> RunState.read(file(), elsewhere())).isInstanceOf(IOException.class);
    assertThat(elsewhere().latest("killian", unusable -> {})).isEmpty();
  }
}
