package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that is localised by Storm, and by one thread. */
@Nightly
class LocaliseIT {

  private static final int SCANS = 60;

  @TempDir private static Path maps;
  private static Path serial;
  @TempDir private Path folder;

  @BeforeAll
  static void mapTheOfficeAndLocaliseInOneThread() {
    Cartostream run =
        Cartostream.run(
            "replay", Logs.OFFICE, "--engine", "serial", "--limit", SCANS, "--out", maps);
    assertThat(run.exitCode()).isZero();
    serial = maps.resolve("serial");
    assertThat(localise(serial, "--engine", "serial").exitCode()).isZero();
  }

  private static Cartostream localise(Path out, Object... arguments) {
    return Cartostream.run(command(out, arguments));
  }

  private static Object[] command(Path out, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", Logs.OFFICE, "--limit", SCANS));
    all.addAll(List.of("--localise", maps.resolve("map.yaml"), "--out", out));
    all.addAll(List.of("--at", "0.1,-0.1,0.05", "--particles", 500));
    all.addAll(List.of(arguments));
    return all.toArray();
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 1", "dataflow, 3", "bsp, 2"})
  void givesTheBytesOfOneThread(String mode, int tasks) throws IOException {
    Cartostream run = localise(folder, "--mode", mode, "--tasks", tasks);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    for (String file : List.of("trajectory.tum", "live.tum", "quality.csv", "map.png")) {
      assertThat(folder.resolve(file)).hasSameBinaryContentAs(serial.resolve(file));
    }
    assertThat(folder.resolve("map.yaml")).doesNotExist();
    assertThat(folder.resolve("run.state")).doesNotExist();
    JsonNode here = report(folder);
    JsonNode there = report(serial);
    assertThat(here.at("/localisation")).isEqualTo(there.at("/localisation"));
    assertThat(here.at("/resamplings")).isEqualTo(there.at("/resamplings"));
  }

  private static JsonNode report(Path out) throws IOException {
    return RunReport.json().readTree(out.resolve("report.json").toFile());
  }

  /** kill -9 in the middle; what goes on has the whole way, from its first pose. */
  @ParameterizedTest
  @CsvSource({"--mode, dataflow", "--mode, bsp", "--engine, serial"})
  void aKilledReplayGoesOnToTheSameBytes(String option, String value) throws Exception {
    Object[] often = {option, value, "--set", "checkpoint.everySeconds=0.001"};
    Process killed =
        CartostreamProcess.start(
            folder.resolve("process.txt"), command(folder.resolve("killed"), often));
    Path checkpoints = folder.resolve("killed").resolve(RunCheckpoints.FOLDER);
    Awaitility.await()
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> hasCheckpoint(checkpoints) || !killed.isAlive());
    assertThat(killed.isAlive()).as("killed before its end").isTrue();
    killed.destroyForcibly().waitFor();
    assertThat(folder.resolve("killed/trajectory.tum")).doesNotExist();

    Object[] resumes = Stream.concat(Stream.of(often), Stream.of("--resume")).toArray();
    Cartostream run = localise(folder.resolve("killed"), resumes);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("resumed      behind reading ");
    for (String file : List.of("trajectory.tum", "live.tum", "quality.csv", "map.png")) {
      assertThat(folder.resolve("killed").resolve(file))
          .hasSameBinaryContentAs(serial.resolve(file));
    }
    assertThat(report(folder.resolve("killed")).at("/localisation"))
        .isEqualTo(report(serial).at("/localisation"));
  }

  private static boolean hasCheckpoint(Path checkpoints) throws IOException {
    if (!Files.exists(checkpoints)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files.anyMatch(each -> each.toString().endsWith(".json"));
    } catch (UncheckedIOException movedMeanwhile) {
      return false;
    }
  }

  @Test
  void aMapThatIsTooLargeForAServiceIsNamed() {
    Cartostream run =
        localise(folder, "--engine", "storm", "--set", "localisation.maxMapCells=1000");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint())
        .startsWith("--localise " + maps.resolve("map.yaml") + ": the known map has ")
        .contains("at most 1000 are taken (localisation.maxMapCells)");
    assertThat(Files.exists(folder.resolve("trajectory.tum"))).isFalse();
  }
}
