package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.run.Logs;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Default
class BenchFilterCommandIT {

  @TempDir private Path folder;

  @BeforeEach
  void log() throws IOException {
    Files.write(folder.resolve("small.clf"), Logs.office(60));
    Files.copy(Logs.OFFICE_REFERENCE, folder.resolve("small.reference.tum"));
  }

  private Bench bench(Object... more) {
    Object[] fixed = {"filter", "--logs", folder, "--out", folder.resolve("out")};
    Object[] all = new Object[fixed.length + more.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Bench.run(all);
  }

  @Test
  void measuresEachLogWithEachNumberOfParticles() throws IOException {
    Bench run = bench("--only", "small", "--particles", "3,6", "--seeds", "1..2", "--limit", 40);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("small +3 +180 +40 ")
        .containsPattern("small +6 +2 +0\\.");
    JsonNode figures =
        RunReport.json().readTree(folder.resolve("out/bench-filter.json").toFile()).get("figures");
    assertThat(figures).hasSize(2);
    JsonNode six = figures.get(1);
    assertThat(six.get("particles").asInt()).isEqualTo(6);
    assertThat(six.get("seeds")).hasSize(2);
    assertThat(six.at("/firstPassMillis").asDouble()).isPositive();
    assertThat(six.at("/slowestParticle/median").asDouble()).isBetween(1.0, 6.0);
    assertThat(six.at("/slowestParticle/worst").asDouble())
        .isBetween(six.at("/slowestParticle/median").asDouble(), 6.0);
    assertThat(six.at("/liveHeapBytes/min").asDouble()).isGreaterThan(1e6);
    assertThat(six.at("/peakResidentBytes").asLong(-1)).isNotNegative();
    assertThat(six.at("/ateMetres/max").asDouble())
        .isGreaterThanOrEqualTo(six.at("/ateMetres/min").asDouble());
    assertThat(folder.resolve("out/ms-per-scan.svg")).content().contains(">small<");
    assertThat(folder.resolve("out/relations.svg")).doesNotExist();
  }

  @Test
  void dividesByParticlesBeamsAndEvaluations() throws IOException {
    assertThat(bench("--only", "small", "--particles", 5, "--seeds", 1, "--limit", 2).exitCode())
        .isZero();
    JsonNode row =
        RunReport.json()
            .readTree(folder.resolve("out/bench-filter.json").toFile())
            .at("/figures/0");
    JsonNode report =
        RunReport.json().readTree(folder.resolve("out/small-5-seed1/report.json").toFile());

    double nanos = 1e6 * report.at("/millisPerReading/mean").asDouble();
    double evaluations = report.get("evaluations").asDouble() / 2 / 5;
    assertThat(row.at("/nanosPerParticleAndBeam/mean").asDouble())
        .isCloseTo(nanos / (5 * 180), within(1e-6 * nanos));
    assertThat(row.at("/evaluationsPerParticleAndScan/mean").asDouble())
        .isCloseTo(evaluations, within(1e-9));
    assertThat(row.at("/nanosPerParticleBeamAndEvaluation/mean").asDouble())
        .isCloseTo(nanos / (5 * 180 * evaluations), within(1e-6 * nanos));
  }

  @Test
  void refusesWhatNamesNoSeeds() {
    Bench run = bench("--seeds", "5..1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint()).contains("5..1");
  }
}
