package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.OfficeReplay;
import org.cartostream.cli.StoppedProcess;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A replay whose process stands for a while: it goes on where it was, loses nothing and restores
 * nothing, with the bytes of one that was not disturbed.
 */
@Default
class StoppedReplayIT {

  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private Object[] command(String engine, String out) {
    return new Object[] {
      "replay",
      Logs.OFFICE,
      "--engine",
      engine,
      "--particles",
      60,
      "--set",
      "checkpoint.everySeconds=0.2",
      "--out",
      folder.resolve(out)
    };
  }

  @ParameterizedTest
  @CsvSource({"serial, 5", "storm, 5"})
  void goesOn(String engine, int seconds) throws Exception {
    Path output = folder.resolve("output.txt");
    Process process = CartostreamProcess.start(output, command(engine, "stopped"));
    try {
      new ReplayProgress(folder.resolve("stopped").resolve(RunCheckpoints.FOLDER))
          .untilSomewhere(process);
      StoppedProcess.stop(process, seconds);
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    Path stopped = folder.resolve("stopped");
    assertThat(OfficeReplay.report(stopped).at("/recovered/times").asInt()).isZero();
    assertThat(OfficeReplay.report(stopped).at("/broker/outages").asInt()).isZero();
    assertThat(Cartostream.run(command("serial", "undisturbed")).exitCode()).isZero();
    for (String name : List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml")) {
      assertThat(stopped.resolve(name))
          .hasSameBinaryContentAs(folder.resolve("undisturbed").resolve(name));
    }
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({"storm, 20", "storm, 25", "serial, 60", "storm, 60"})
  void goesOnBehindAMinute(String engine, int seconds) throws Exception {
    goesOn(engine, seconds);
  }
}
