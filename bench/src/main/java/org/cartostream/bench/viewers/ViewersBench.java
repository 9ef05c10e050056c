package org.cartostream.bench.viewers;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.bench.latency.LatencyRun;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.local.LocalService;

/**
 * Measures what viewers of the page cost the service: the CPU time of its tasks' threads for each
 * reading of some live robots, with a page that some look at and without a page, in turn. Broker,
 * service, gateways and page are in this process.
 *
 * @param settings of service and gateways
 * @param readings of a log, which each robot sends
 * @param load what drives and looks
 * @param pairs how often both are measured; once more before, which does not count
 */
public record ViewersBench(RootSettings settings, List<Reading> readings, Load load, int pairs) {

  /** Maximum number of pairs: the table of Student's t ends there. */
  public static final int MOST_PAIRS = PairedRatio.MOST_PAIRS;

  private static final String FILE = "bench-viewers.csv";
  private static final int MOST_WAIT_SECONDS = 60;

  /**
   * What is driven and looked at.
   *
   * @param robots that drive at once
   * @param rateHertz readings a second of each
   * @param viewers of the page
   */
  public record Load(int robots, double rateHertz, int viewers) {}

  private record Row(int pair, PairedRatio.Pair micros, long viewerBytes) {}

  private record Measured(double micros, long viewerBytes) {}

  private static final TextTable<Row> TABLE =
      TextTable.of(
          new Column<>("pair", 4, Row::pair),
          new Column<>("with_us", 9, "%.0f", row -> row.micros().with()),
          new Column<>("without_us", 10, "%.0f", row -> row.micros().without()),
          new Column<>("ratio", 6, "%.3f", row -> row.micros().ratio()),
          new Column<>("viewer_bytes", 12, Row::viewerBytes));

  /** Measures, prints, writes the pairs into the folder and returns the file. */
  public Path run(Path folder, PrintWriter out, PrintWriter progress)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (EmbeddedBroker embedded = EmbeddedBroker.start()) {
      BrokerSettings broker = settings.broker().withUri(embedded.uri());
      try (LocalService storm = LocalService.start(settings.service(broker))) {
        for (int pair = 0; pair <= pairs; pair++) {
          progress.println(pair == 0 ? "to warm up" : "pair " + pair + " of " + pairs);
          boolean isWatchedFirst = pair % 2 == 0; // A trend of the machine hits both alike.
          Measured first = measure(broker, pair + "a", isWatchedFirst);
          Measured second = measure(broker, pair + "b", !isWatchedFirst);
          Measured with = isWatchedFirst ? first : second;
          Measured without = isWatchedFirst ? second : first;
          if (pair > 0) {
            PairedRatio.Pair micros = new PairedRatio.Pair(with.micros, without.micros);
            rows.add(new Row(pair, micros, with.viewerBytes));
          }
        }
      }
    }
    TABLE.print(out, rows);
    PairedRatio ratio = PairedRatio.of(rows.stream().map(Row::micros).toList());
    out.printf(
        "%d viewers: %.3f times the CPU time of a reading without, upper 95 %% bound %.3f%n",
        load.viewers, ratio.mean(), ratio.bound());
    return TABLE.writeCsv(folder.resolve(FILE), rows);
  }

  /** Microseconds of CPU for each reading that was processed. */
  private Measured measure(BrokerSettings broker, String name, boolean isWatched)
      throws IOException, InterruptedException {
    Path waiting = Files.createTempDirectory("cartostream-viewers");
    try (WatchedPage page = isWatched ? WatchedPage.open(broker) : null) {
      ServiceThreads threads = new ServiceThreads();
      List<LatencyRun> runs = Stream.generate(LatencyRun::new).limit(load.robots).toList();
      List<CompletableFuture<Void>> drives =
          IntStream.range(0, load.robots)
              .mapToObj(i -> drive(runs.get(i), broker, robot(name, i), waiting))
              .toList();
      if (isWatched) {
        watch(page, name);
      }
      drives.forEach(CompletableFuture::join);
      long nanos = threads.usedNanos();
      long processed = runs.stream().mapToLong(LatencyRun::processed).sum();
      return new Measured(nanos / 1e3 / processed, isWatched ? page.bytes() : 0);
    } catch (CompletionException e) {
      throw e.getCause() instanceof ExitException failure ? failure : e;
    } finally {
      try (Stream<Path> all = Files.walk(waiting)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static String robot(String name, int number) {
    return "viewed-" + name + "-" + number;
  }

  private CompletableFuture<Void> drive(
      LatencyRun run, BrokerSettings broker, String robot, Path waiting) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                run.run(
                    new LiveGateway.Robot(
                        robot,
                        settings.gateway(),
                        settings.slam().readingFilter(),
                        waiting.resolve(robot)),
                    outages -> BrokerConnection.open(broker, "gateway of " + robot, outages),
                    readings,
                    load.rateHertz);
                done.complete(null);
              } catch (InterruptedException | RuntimeException e) {
                done.completeExceptionally(e);
              }
            },
            "driver of " + robot);
    thread.setDaemon(true);
    thread.start();
    return done;
  }

  /** Viewers look at the robots in turn, as soon as there is something to be seen of each. */
  private void watch(WatchedPage page, String name) throws InterruptedException {
    long most = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_WAIT_SECONDS);
    for (int viewer = 0; viewer < load.viewers; viewer++) {
      while (!page.watch(robot(name, viewer % load.robots))) {
        if (System.nanoTime() - most > 0) {
          throw ExitException.failed(
              "no robot was on the page within %d s".formatted(MOST_WAIT_SECONDS));
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }
}
