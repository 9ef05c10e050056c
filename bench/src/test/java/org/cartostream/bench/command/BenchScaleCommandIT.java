package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Nightly
class BenchScaleCommandIT {

  @TempDir private Path folder;

  @Test
  void measuresTasksHereAndModelsMoreCoresUnderAHeadingOfTheirOwn() throws IOException {
    Bench run =
        Bench.run(
            "scale",
            Logs.OFFICE,
            "--particles",
            6,
            "--tasks",
            2,
            "--modes",
            "bsp",
            "--cores",
            "3,9",
            "--readings",
            12,
            "--passes",
            1,
            "--out",
            folder);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .containsSubsequence(
            "measured, ms per reading", "MODELLED, ms per reading", "pure computing")
        .contains("2 tasks on " + cores() + " cores")
        .containsPattern(
            "2 tasks are [0-9.]+ times as fast as 1 task, [0-9.]+ of the pure threads");
    List<String> lines = Files.readAllLines(folder.resolve("bench-scale.csv"));
    assertThat(lines)
        .filteredOn(line -> line.startsWith("measured,bsp,memory,,6,"))
        .extracting(line -> line.split(",")[5])
        .containsExactly("1", "2");
    // Nine tasks have nothing to share of six particles.
    assertThat(lines)
        .filteredOn(line -> line.startsWith("modelled,bsp,memory,,6,"))
        .extracting(line -> line.split(",")[5])
        .containsExactly("3");
    assertThat(folder.resolve("scale-speedup.svg")).content().contains("bsp memory, 6 p, modelled");
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Test
  void refusesNumbersOfTasksThatCannotBe() {
    assertThat(Bench.run("scale", Logs.OFFICE, "--tasks", "0", "--out", folder).complaint())
        .contains("--tasks");
  }

  @Test
  void saysThatALogHasNothingToMeasure() throws IOException {
    List<String> blind =
        Logs.office(12).stream().map(line -> line.replaceAll("\\d+\\.\\d+", "0.0")).toList();
    Path log = Logs.file(folder, blind);
    Bench run = Bench.run("scale", log, "--out", folder.resolve("out"));
    assertThat(run.complaint())
        .startsWith("nothing can be measured by '" + log + "': no scan taken from it");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void takesABag() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.bag"), "#ROSBAG V2.0\n");
    Bench run = Bench.run("scale", empty, "--out", folder.resolve("out"));
    assertThat(run.complaint())
        .startsWith(empty + " has no sensor_msgs/LaserScan messages; the log was not closed");
  }
}
