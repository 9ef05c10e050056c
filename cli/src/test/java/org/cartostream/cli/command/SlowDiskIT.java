package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.cli.command.ReplayOnSmallDisks.Place;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replay one of whose folders is on a disk that takes 30 ms for each write. */
@Nightly
@Timeout(300)
class SlowDiskIT {

  @TempDir private static Path shared;

  @TempDir private Path folder;

  @BeforeAll
  static void compile() throws Exception {
    compile(shared);
  }

  /**
   * Returns a library that, preloaded into a process, delays it; without gcc the test is left out.
   */
  static Path compile(Path into) throws Exception {
    try (InputStream source = SlowDiskIT.class.getResourceAsStream("slow-disk.c")) {
      Files.copy(source, into.resolve("slow-disk.c"));
    }
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", "slow-disk.so", "slow-disk.c", "-ldl")
              .directory(into.toFile())
              .inheritIO()
              .start();
    } catch (IOException e) {
      return Assumptions.abort("needs gcc");
    }
    assertThat(compiler.waitFor()).isZero();
    return into.resolve("slow-disk.so");
  }

  @ParameterizedTest
  @CsvSource({
    "serial, OUTPUT",
    "serial, CHECKPOINTS",
    "serial, TEMPORARY",
    "storm, OUTPUT",
    "storm, CHECKPOINTS",
    "storm, TEMPORARY"
  })
  void givesTheSameBytes(String engine, Place place) throws Exception {
    try (ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, engine, "", place)) {
      Map<String, String> slow =
          Map.of(
              "LD_PRELOAD",
              shared.resolve("slow-disk.so").toString(),
              "SLOW_FOLDER",
              replay.disk().folder().toRealPath().toString());
      assertThat(replay.end(replay.start(slow))).isZero();
      replay.checkResults();
    }
  }
}
