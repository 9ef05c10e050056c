package org.cartostream.bench.latency;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.task.Component;

/**
 * Measures how long a live robot waits for the pose of a reading, and how long for its outcome: in
 * one process with broker and service, once with tasks alike and once with a slow one.
 *
 * <p>The transform from {@code map} to {@code odom} follows from the pose. When it still followed
 * from the outcome, it came as late as that, so one run shows both.
 *
 * @param settings of service and gateway
 * @param readings of a log; the first are not counted, for the JVM warms up
 * @param warmups how many those are
 * @param rateHertz readings per second
 * @param neighbours busy threads on the slow task's core
 */
public record LatencyBench(
    RootSettings settings, List<Reading> readings, int warmups, double rateHertz, int neighbours) {

  private static final String FILE = "bench-latency.csv";
  private static final String ROBOT = "latency";

  private static final TextTable<PoseLatency> TABLE =
      TextTable.of(
          new Column<>("service", -13, PoseLatency::service),
          new Column<>("readings", -10, PoseLatency::readings),
          new Column<>("count", 5, row -> row.toPoseNanos().length),
          new Column<>("skipped", 7, PoseLatency::skipped),
          millis("pose_p50_ms", row -> row.poseMillis(0.5)),
          millis("pose_p95_ms", row -> row.poseMillis(0.95)),
          millis("pose_p99_ms", row -> row.poseMillis(0.99)),
          millis("outcome_p50_ms", row -> row.outcomeMillis(0.5)),
          millis("outcome_p95_ms", row -> row.outcomeMillis(0.95)),
          millis("outcome_p99_ms", row -> row.outcomeMillis(0.99)));

  private static Column<PoseLatency> millis(String title, Function<PoseLatency, Object> cell) {
    return new Column<>(title, title.length(), "%.1f", cell);
  }

  /** Measures both cases, prints them, writes them into the folder and returns the file. */
  public Path run(Path folder, PrintWriter out, PrintWriter progress)
      throws IOException, InterruptedException {
    List<PoseLatency> rows = new ArrayList<>(measure(false, progress));
    Optional<String> missing = SlowTask.missing();
    if (missing.isPresent()) {
      progress.println(missing.get() + ": the slow task is left out");
    } else {
      rows.addAll(measure(true, progress));
    }
    TABLE.print(out, rows);
    return TABLE.writeCsv(folder.resolve(FILE), rows);
  }

  private List<PoseLatency> measure(boolean slow, PrintWriter progress)
      throws IOException, InterruptedException {
    String service = slow ? "one task slow" : "tasks alike";
    progress.println(service + ": " + readings.size() + " readings at " + rateHertz + " Hz");
    LatencyRun run = new LatencyRun();
    Path waiting = Files.createTempDirectory("cartostream-latency");
    try (EmbeddedBroker embedded = EmbeddedBroker.start()) {
      BrokerSettings broker = settings.broker().withUri(embedded.uri());
      try (LocalService storm = LocalService.start(settings.service(broker));
          SlowTask slowTask = slow ? SlowTask.start(matchers(), neighbours) : null) {
        run.run(
            new LiveGateway.Robot(
                ROBOT, settings.gateway(), settings.slam().readingFilter(), waiting),
            outages -> BrokerConnection.open(broker, "gateway of " + ROBOT, outages),
            readings,
            rateHertz);
      }
    } finally {
      try (Stream<Path> all = Files.walk(waiting)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    return List.of(
        PoseLatency.of(service, "all", run, stamps(false)),
        PoseLatency.of(service, "key frames", run, stamps(true)));
  }

  private static String matchers() {
    return Component.Matchers.class.getSimpleName();
  }

  /** Stamps of the readings that count: all that the filter takes, or its key frames. */
  private Set<Long> stamps(boolean keyFrames) {
    ReadingFilter filter = new ReadingFilter(settings.slam());
    Set<Long> stamps = new HashSet<>();
    for (int i = 0; i < readings.size(); i++) {
      Reading reading = readings.get(i);
      if (filter.decide(i + 1L, reading) instanceof ReadingFilter.Decision.Accept accept
          && i >= warmups
          && (!keyFrames || accept.step().keyFrame())) {
        stamps.add(reading.stampNanos());
      }
    }
    return stamps;
  }
}
