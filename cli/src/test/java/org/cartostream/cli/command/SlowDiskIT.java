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
    compile("slow-disk", shared);
  }

  /**
   * Returns a library of this name that is preloaded into a process; without gcc the test is left
   * out.
   */
  static Path compile(String name, Path into) throws Exception {
    String code = name + ".c";
    String library = name + ".so";
    try (InputStream source = SlowDiskIT.class.getResourceAsStream(code)) {
      Files.copy(source, into.resolve(code));
    }
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library, code, "-ldl")
              .directory(into.toFile())
              .inheritIO()
              .start();
    } catch (IOException e) {
      return Assumptions.abort("needs gcc");
    }
    assertThat(compiler.waitFor()).isZero();
    return into.resolve(library);
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
