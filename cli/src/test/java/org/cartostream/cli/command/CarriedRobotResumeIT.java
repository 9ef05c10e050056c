package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A robot that was lifted is found by any engine to the same bytes, also if the process is killed
 * and resumed, before or in the search.
 */
@Nightly
class CarriedRobotResumeIT {

  @TempDir private Path folder;

  private Object[] command(String out, Object... more) {
    List<Object> words =
        new ArrayList<>(List.of("replay", TestFiles.usersFile("s08_lifted/in.mcap")));
    words.addAll(List.of("--particles", 60, "--set", "checkpoint.everySeconds=0.001"));
    words.addAll(List.of("--out", folder.resolve(out)));
    words.addAll(List.of(more));
    return words.toArray();
  }

  private boolean hasCheckpoint() throws IOException {
    Path checkpoints = folder.resolve("killed").resolve(RunCheckpoints.FOLDER);
    if (!Files.exists(checkpoints)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files.anyMatch(each -> each.toString().endsWith(".json"));
    }
  }

  @ParameterizedTest
  @CsvSource({"serial, dataflow, 1", "storm, dataflow, 3", "storm, bsp, 2"})
  void theSameBytesOnAnyEngineKilledAndResumed(String engine, String mode, int tasks)
      throws Exception {
    Object[] its = {"--engine", engine, "--mode", mode, "--tasks", tasks};
    Object[] words = engine.equals("serial") ? new Object[] {"--engine", engine} : its;
    assertThat(Cartostream.run(command("undisturbed", "--engine", "serial")).exitCode()).isZero();
    Process killed =
        CartostreamProcess.start(folder.resolve("process.txt"), command("killed", words));
    Awaitility.await()
        .atMost(Duration.ofSeconds(200))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> hasCheckpoint() || !killed.isAlive());
    assertThat(killed.isAlive()).as("killed before its end").isTrue();
    killed.destroyForcibly().waitFor();

    List<Object> again = new ArrayList<>(List.of(words));
    again.add("--resume");
    Cartostream resumed = Cartostream.run(command("killed", again.toArray()));

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("resumed      behind reading ", "found in the map");
    for (String name : List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml")) {
      assertThat(folder.resolve("killed").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("undisturbed").resolve(name));
    }
  }
}
