package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench scale --hosts}: workers on hosts that are network namespaces. */
@Nightly(cluster = true)
class BenchPlayedScaleIT {

  @TempDir private Path folder;

  /** A reading of 12 particles takes some 100 ms where it is played 200 times slower. */
  @Test
  void playsOnTwoHostsAndModelsTheSameBesideIt() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    Bench run =
        Bench.run(
            "scale",
            Logs.OFFICE,
            "--particles",
            12,
            "--hosts",
            2,
            "--workers",
            2,
            "--slower",
            200,
            "--readings",
            40,
            "--out",
            folder);
    Assumptions.assumeFalse(
        run.err().contains("there are no network namespaces here"), "needs root, and ip");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).containsSubsequence("12 particles: one thread computes", "2 tasks of 2");
    List<String[]> rows =
        Files.readAllLines(folder.resolve("12-particles/bench-scale-played.csv")).stream()
            .skip(1)
            .map(line -> line.split(","))
            .toList();
    assertThat(rows.stream().map(row -> row[1] + " x " + row[4]))
        .containsExactly("1 x 0.0", "1 x 200.0", "2 x 0.0", "2 x 200.0");
    assertThat(Double.parseDouble(rows.get(3)[7])).as("times as fast").isBetween(1.2, 2.3);
  }

  @Test
  void refusesWhatCannotBe() {
    assertThat(Bench.run("scale", Logs.OFFICE, "--hosts", 0, "--out", folder).complaint())
        .isEqualTo("--hosts 0: it must be at least 1");
    assertThat(
            Bench.run("scale", Logs.OFFICE, "--hosts", 1, "--slower", 0, "--out", folder)
                .complaint())
        .isEqualTo("--slower 0.0: it must be more than 0");
  }
}
