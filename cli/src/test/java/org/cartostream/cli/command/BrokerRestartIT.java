package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.cartostream.cli.OfficeReplay.SCANS;
import static org.cartostream.cli.OfficeReplay.command;
import static org.cartostream.cli.OfficeReplay.paths;
import static org.cartostream.cli.OfficeReplay.replayed;
import static org.cartostream.cli.OfficeReplay.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.cli.Cartostream;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same road as in {@link StormReplayIT}, whose broker is stopped and started in its middle. */
@Nightly
class BrokerRestartIT {

  @TempDir private Path folder;

  @Test
  void survivesARestartOfARealRabbitMq() throws Exception {
    String serial = paths(replayed(folder.resolve("serial"), "--engine", "serial"));
    Path out = replayedOverARestart("--mode", "dataflow");
    assertThat(paths(out)).isEqualTo(serial);
  }

  /** What was lost between the tasks is mended, which leaves out a resampling. */
  @Test
  void survivesARestartOfARealRabbitMqThatCarriesTheTasksWordsToo() throws Exception {
    Path serial = replayed(folder.resolve("serial"), "--engine", "serial");
    Path out =
        replayedOverARestart(
            "--mode", "bsp", "--tasks", 3, "--set", "topology.collectiveTransport=rabbitmq");
    assertThat(furthestMetres(serial, out)).isLessThan(0.5);
    // Those that were mended do not count.
    assertThat(report(out).at("/team/keyFrames").asInt()).isGreaterThan(SCANS / 2);
  }

  /** How far apart two trajectories are where they are furthest. */
  private static double furthestMetres(Path one, Path other) throws IOException {
    List<String> ones = Files.readAllLines(one.resolve("trajectory.tum"));
    List<String> others = Files.readAllLines(other.resolve("trajectory.tum"));
    assertThat(others).hasSameSizeAs(ones);
    double furthest = 0;
    for (int i = 0; i < ones.size(); i++) {
      String[] a = ones.get(i).split(" ");
      String[] b = others.get(i).split(" ");
      double dx = Double.parseDouble(a[1]) - Double.parseDouble(b[1]);
      double dy = Double.parseDouble(a[2]) - Double.parseDouble(b[2]);
      furthest = Math.max(furthest, Math.hypot(dx, dy));
    }
    return furthest;
  }

  private Path replayedOverARestart(Object... mode) throws Exception {
    assumeThat(LocalRabbitMq.missing()).as("needs a RabbitMQ").isEmpty();
    Path out = folder.resolve("storm");
    try (LocalRabbitMq broker = LocalRabbitMq.started()) {
      // Five times the log's own pace: its 60 readings, two a second, take 6 s, or as long as
      // RabbitMQ is away. A map with every reading shows that the run is in its middle.
      Object[] slowly = {"--broker", broker.uri(), "--rate", 5};
      Object[] patiently = {"--set", "topology.readingTimeoutSeconds=55"};
      Object[] maps = {"--set", "topology.mapIntervalSeconds=0"};
      Object[] command =
          Stream.of(command(out, slowly), patiently, maps, mode).flatMap(Stream::of).toArray();
      CompletableFuture<Cartostream> run =
          CompletableFuture.supplyAsync(() -> Cartostream.run(command));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(out.resolve("map.pgm")));
      broker.stop();
      broker.start();
      Cartostream ended = run.get(240, TimeUnit.SECONDS);
      assertThat(ended.err()).doesNotContain("cartostream:");
      assertThat(ended.exitCode()).isZero();
    }
    assertThat(report(out).at("/readings/processed").asInt()).isEqualTo(SCANS);
    assertThat(report(out).at("/readings/lost").asInt(-1)).isZero();
    assertThat(report(out).at("/broker/outages").asInt()).isEqualTo(1);
    return out;
  }
}
