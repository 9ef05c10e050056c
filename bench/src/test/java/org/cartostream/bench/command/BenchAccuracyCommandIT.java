package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.cartostream.run.Logs;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Default
class BenchAccuracyCommandIT {

  @TempDir private Path folder;

  /** The beginning of the office, its reference, and a log that has none. */
  @BeforeEach
  void logs() throws IOException {
    Files.write(folder.resolve("small.clf"), Logs.office(40));
    List<String> reference =
        Files.readAllLines(Logs.OFFICE_REFERENCE).stream()
            .filter(line -> !line.startsWith("#"))
            .limit(40)
            .toList();
    Files.write(folder.resolve("small.reference.tum"), reference);
    Files.write(folder.resolve("unknown.clf"), Logs.office(40));
  }

  private Bench bench(Object... more) {
    Object[] fixed = {"accuracy", "--logs", folder, "--out", folder.resolve("out")};
    Object[] all = new Object[fixed.length + more.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Bench.run(all);
  }

  @Test
  void printsMeansOverTheSeedsAndWritesEveryReport() throws IOException {
    Bench run = bench("--only", "small", "--seeds", "4,5", "--particles", 5);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern(
            "small +5 +2( +0\\.\\d{3} +0\\.\\d{3}-0\\.\\d{3}){2}( +0\\.\\d{3}){2} +- +- +- +- +- ");
    JsonNode runs =
        RunReport.json().readTree(folder.resolve("out/accuracy.json").toFile()).get("small");
    assertThat(runs).hasSize(2);
    assertThat(runs.get(1).at("/seed").asInt()).isEqualTo(5);
    assertThat(runs.get(1).at("/accuracy/posesCompared").asInt()).isEqualTo(40);
    assertThat(folder.resolve("out/small-5-seed4/map.png")).isNotEmptyFile();
  }

  /** A mean over seeds hides a loop that did not close in one of them. */
  @Test
  void printsTheWorstSeedsLoopsBesideTheMean() throws IOException {
    Files.write(folder.resolve("looped.g2o"), Logs.officeWithALoopEdge(40));
    Bench run = bench("--only", "looped", "--seeds", "4,5", "--particles", 5);
    assertThat(run.exitCode()).isZero();
    double[] p95 =
        RunReport.json()
            .readTree(folder.resolve("out/accuracy.json").toFile())
            .get("looped")
            .findValues("accuracy")
            .stream()
            .mapToDouble(accuracy -> accuracy.get("loopP95Metres").asDouble())
            .sorted()
            .toArray();
    assertThat(p95).hasSize(2).doesNotHaveDuplicates();
    double mean = (p95[0] + p95[1]) / 2;
    assertThat(run.out())
        .containsPattern(String.format(Locale.ROOT, " %.3f +%.3f-%.3f ", mean, p95[0], p95[1]));
  }

  @Test
  void saysWhyAFigureIsMissing() throws IOException {
    Path reference = folder.resolve("small.reference.tum");
    List<String> lines = Files.readAllLines(reference);
    for (int i = 30; i < lines.size(); i++) {
      lines.set(i, lines.get(i).replaceFirst("\\.(\\d)", ".9$1"));
    }
    Files.write(reference, lines);
    Bench run = bench("--only", "small", "--seeds", "4", "--particles", 5);
    assertThat(run.out())
        .containsPattern("small +5 +1 +- ")
        .contains(
            "small, 5 particles, seed 4, unmeasured: The trajectory (",
            "covers only 30 of the reference's 40 stamps");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void namesALogThatIsNotThere() {
    Bench run = bench("--only", "unknown");
    assertThat(run.complaint()).contains("--only unknown", "small");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void namesAFolderThatIsNotThere() {
    Bench run = Bench.run("accuracy", "--logs", folder.resolve("none"));
    assertThat(run.complaint()).contains("none");
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
