package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.cartostream.gateway.Pace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cartostream bench tls}: the same log through two clusters of this machine in turns, one
 * with TLS on every connection and one without. Both are there all the time, so that whatever else
 * the machine does is spread over both.
 */
@Command(
    name = "tls",
    description = {
      "What TLS on every connection costs: a log through two clusters in turns, with and without.",
      "",
      "Each pass is a topology of its own in two new workers on either cluster; which cluster is"
          + " first changes from pass to pass. The least time of each reading in any pass says most"
          + " on a machine that has something else to do. 'service' is from a reading's arrival to its pose,"
          + " 'road' is the whole run's time per reading, with gateway and broker.",
      ""
    },
    footer = {"", "Example:", "  cartostream bench tls aces --particles 30 --passes 3"})
final class BenchTlsCommand implements Callable<Integer> {

  private static final int WORKER_HEAP_MEGABYTES = 512;
  private static final int WORKERS = 2;
  private static final double MILLIS_PER_SECOND = 1000;
  private static final double NANOS_PER_MILLI = 1e6;

  @Spec private CommandSpec spec;
  @ParentCommand private BenchCommand parent;

  @Parameters(
      paramLabel = "LOG",
      description = "A log file, or a data set's name ('cartostream datasets' lists them).")
  private String log;

  @Option(
      names = "--particles",
      paramLabel = "N",
      defaultValue = "30",
      description = "How many particles the filter has. Default: 30.")
  private String particles;

  @Option(
      names = "--passes",
      paramLabel = "P",
      defaultValue = "3",
      description = "How often the log goes through each cluster. Default: 3.")
  private int passes;

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "Take only the first K scans of the log. Default: all.")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/bench/tls",
      description = "Folder for each run's files. Default: out/bench/tls.")
  private Path out;

  @Mixin private ConfigurationOptions configuration;

  /** With TLS or without. */
  private enum Kind {
    PLAIN,
    SECURED
  }

  @Override
  public Integer call() throws IOException {
    if (passes < 1) {
      throw Failure.wrongUsage("--passes " + passes + ": at least 1 pass is needed");
    }
    Path file = LogArgument.file(log, DataSets.installed());
    Path folder = Files.createTempDirectory("cartostream-tls");
    Map<Kind, Cluster> clusters = new EnumMap<>(Kind.class);
    try {
      for (Kind kind : Kind.values()) {
        clusters.put(kind, up(folder.resolve(kind.toString()), kind));
      }
      measure(file, clusters);
    } finally {
      clusters.values().forEach(Cluster::down);
      Files.delete(folder);
    }
    return parent.interruption().exitCode();
  }

  private Cluster up(Path home, Kind kind) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(kind + ":");
    return Cluster.upHere(
        ClusterHome.of(home.toString()),
        new Cluster.Wish(kind == Kind.SECURED, WORKER_HEAP_MEGABYTES),
        WORKERS,
        err::println);
  }

  private void measure(Path file, Map<Kind, Cluster> clusters) {
    PrintWriter screen = spec.commandLine().getOut();
    Map<Kind, List<Report>> reports = new EnumMap<>(Kind.class);
    clusters.keySet().forEach(kind -> reports.put(kind, new ArrayList<>()));
    screen.println("ms per reading    service: plain      TLS    road: plain      TLS");
    for (int pass = 0; pass < passes && !parent.interruption().requested(); pass++) {
      Kind first = pass % 2 == 0 ? Kind.PLAIN : Kind.SECURED;
      Kind second = first == Kind.PLAIN ? Kind.SECURED : Kind.PLAIN;
      for (Kind kind : List.of(first, second)) {
        reports.get(kind).add(run(file, kind, clusters.get(kind), pass));
      }
      print(screen, "pass " + (pass + 1), reports, pass);
    }
    if (parent.interruption().requested()) {
      return;
    }
    conclude(screen, reports.get(Kind.PLAIN), reports.get(Kind.SECURED));
  }

  private static void conclude(PrintWriter screen, List<Report> plain, List<Report> secured) {
    double[] means = {
      mean(plain, BenchTlsCommand::service),
      mean(secured, BenchTlsCommand::service),
      mean(plain, BenchTlsCommand::road),
      mean(secured, BenchTlsCommand::road)
    };
    row(screen, "mean", means);
    double leastPlain = least(plain);
    double leastSecured = least(secured);
    screen.printf("%-18s        %8.2f %8.2f%n", "least of a reading", leastPlain, leastSecured);
    screen.printf(
        "TLS costs %+.1f %% of each reading's least time in the service, %+.1f %% of the mean there,"
            + " %+.1f %% on the whole road; load at the end %.1f on %d cores%n",
        100 * (leastSecured / leastPlain - 1),
        100 * (means[1] / means[0] - 1),
        100 * (means[3] / means[2] - 1),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
    screen.flush();
  }

  private static double mean(List<Report> reports, ToDoubleFunction<Report> figure) {
    return reports.stream().mapToDouble(figure).average().orElseThrow();
  }

  /** What came between in one pass, another process above all, did not in another. */
  private static double least(List<Report> reports) {
    int readings = reports.get(0).serviceNanos().size();
    return IntStream.range(0, readings)
        .mapToDouble(
            i -> reports.stream().mapToLong(one -> one.serviceNanos().get(i)).min().orElse(0))
        .map(nanos -> nanos / NANOS_PER_MILLI)
        .average()
        .orElse(0);
  }

  private Report run(Path file, Kind kind, Cluster cluster, int pass) {
    RootSettings settings =
        configuration.settings(
            Map.of(
                "slam.particles",
                particles,
                "topology.tasks",
                Integer.toString(WORKERS),
                "topology.workers",
                Integer.toString(WORKERS)));
    return new Replay(
            settings,
            Engine.Kind.STORM,
            Pace.MAX,
            LogArgument.robot(file),
            file,
            limit,
            out.resolve(kind + "-" + (pass + 1)),
            Optional.of(ClusterHome.of(cluster.folder().toString())))
        .run(
            scans -> Yardstick.of(scans, null, null),
            spec.commandLine().getErr(),
            parent.interruption());
  }

  private static void print(
      PrintWriter screen, String name, Map<Kind, List<Report>> reports, int pass) {
    Report plain = reports.get(Kind.PLAIN).get(pass);
    Report secured = reports.get(Kind.SECURED).get(pass);
    row(screen, name, service(plain), service(secured), road(plain), road(secured));
  }

  private static void row(PrintWriter screen, String name, double... millis) {
    screen.printf(
        "%-18s        %8.2f %8.2f         %8.2f %8.2f%n",
        name, millis[0], millis[1], millis[2], millis[3]);
    screen.flush();
  }

  private static double service(Report report) {
    return report.millisPerReading().mean();
  }

  private static double road(Report report) {
    return report.wallSeconds() * MILLIS_PER_SECOND / report.readings().processed();
  }
}
