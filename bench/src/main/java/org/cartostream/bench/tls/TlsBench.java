package org.cartostream.bench.tls;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.bench.tls.ServiceCluster.Pass;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.settings.RootSettings;

/**
 * Sends the same log through two clusters of this machine in turns, one with TLS on every
 * connection and one without, and prints what TLS costs. Both are there all the time, so that
 * whatever else the machine does is spread over both.
 *
 * @param log its file
 * @param limit most scans of it
 * @param settings of the service in either cluster
 * @param warmups passes that are shown, but do not count
 * @param passes how often the log goes through each cluster after those
 * @param folder for each run's files
 * @param shutdownRequest ends it early
 */
public record TlsBench(
    Path log,
    long limit,
    RootSettings settings,
    int warmups,
    int passes,
    Path folder,
    ShutdownRequest shutdownRequest) {

  private static final TextTable<Row> TABLE =
      TextTable.of(
          new Column<>("ms per reading", -16, Row::name),
          column("service", row -> median(row.without(), Pass::serviceMillis)),
          column("TLS", row -> median(row.with(), Pass::serviceMillis)),
          column("road", row -> median(row.without(), Pass::roadMillis)),
          column("TLS", row -> median(row.with(), Pass::roadMillis)),
          column("cpu", row -> median(row.without(), Pass::cpuMillis)),
          column("TLS", row -> median(row.with(), Pass::cpuMillis)));

  /** One pass or several, of which the medians are shown, through both clusters. */
  private record Row(String name, List<Pass> without, List<Pass> with) {}

  private static Column<Row> column(String title, Function<Row, Object> cell) {
    return new Column<>(title, 9, "%.2f", cell);
  }

  /** Starts both clusters, measures and takes them down. */
  public void run(PrintWriter out, PrintWriter progress) throws IOException {
    Path home = Files.createTempDirectory("cartostream-tls");
    try (ServiceCluster plain = up(home.resolve("plain"), false, progress);
        ServiceCluster secured = up(home.resolve("secured"), true, progress)) {
      measure(plain, secured, out);
    } finally {
      deleteIfEmpty(home);
    }
  }

  /**
   * Both clusters have deleted their own, unless there is something left of one to be taken down.
   */
  private static void deleteIfEmpty(Path home) throws IOException {
    try {
      Files.delete(home);
    } catch (DirectoryNotEmptyException e) {
      // An exception that says why is under way.
    }
  }

  private ServiceCluster up(Path home, boolean secure, PrintWriter progress) {
    progress.println(home.getFileName() + ":");
    return ServiceCluster.up(
        home, secure, settings, InputLog.robotId(log), progress::println, shutdownRequest);
  }

  private void measure(ServiceCluster plain, ServiceCluster secured, PrintWriter out) {
    TABLE.printHeader(out);
    List<Pass> without = new ArrayList<>();
    List<Pass> with = new ArrayList<>();
    for (int i = 1; i <= warmups + passes; i++) {
      Map<ServiceCluster, Pass> both = new HashMap<>();
      for (ServiceCluster next : i % 2 == 1 ? List.of(plain, secured) : List.of(secured, plain)) {
        both.put(next, next.pass(log, limit, folder.resolve(next + "-" + i), shutdownRequest));
      }
      if (shutdownRequest.requested()) {
        return;
      }
      String name = i <= warmups ? "warming up" : "pass " + (i - warmups);
      TABLE.printRow(out, new Row(name, List.of(both.get(plain)), List.of(both.get(secured))));
      if (i > warmups) {
        without.add(both.get(plain));
        with.add(both.get(secured));
      }
    }
    TABLE.printRow(out, new Row("median", without, with));
    conclude(out, without, with);
  }

  private static void conclude(PrintWriter out, List<Pass> without, List<Pass> with) {
    out.printf(
        Locale.ROOT,
        "TLS costs %+.1f %% in the service, %+.1f %% on the road, %+.1f %% of what is computed"
            + " (medians); %+.1f %% of each reading's least time in the service; load at the end"
            + " %.1f on %d cores%n",
        percent(median(without, Pass::serviceMillis), median(with, Pass::serviceMillis)),
        percent(median(without, Pass::roadMillis), median(with, Pass::roadMillis)),
        percent(median(without, Pass::cpuMillis), median(with, Pass::cpuMillis)),
        percent(least(without), least(with)),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
    out.flush();
  }

  private static double percent(double without, double with) {
    return 100 * (with / without - 1);
  }

  private static double median(List<Pass> passes, ToDoubleFunction<Pass> figure) {
    double[] sorted = passes.stream().mapToDouble(figure).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** What came between in one pass, another process above all, did not in another. */
  private static double least(List<Pass> passes) {
    int readings = passes.stream().mapToInt(pass -> pass.serviceNanos().size()).min().orElse(0);
    return IntStream.range(0, readings)
        .mapToDouble(
            i -> passes.stream().mapToLong(pass -> pass.serviceNanos().get(i)).min().orElse(0))
        .average()
        .orElse(0);
  }
}
