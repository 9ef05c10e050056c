package org.cartostream.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.cartostream.bench.tls.ServiceCluster;
import org.cartostream.bench.tls.ServiceCluster.Pass;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.settings.RootSettings;
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
      "Either cluster has a service in two workers, which stays from pass to pass; which cluster is"
          + " first changes. Passes that warm up are shown, and not counted. 'service' is from a"
          + " reading's arrival to its pose; 'road' is a whole pass per reading, with gateway and"
          + " broker; 'cpu' is what all processes of the cluster and the gateway computed.",
      ""
    },
    footer = {"", "Example:", "  cartostream bench tls aces.clf --particles 30"})
final class BenchTlsCommand implements Callable<Integer> {

  private static final int WORKERS = 2;

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
      defaultValue = "5",
      description = "How often the log goes through each cluster. Default: 5.")
  private int passes;

  @Option(
      names = "--warmups",
      paramLabel = "P",
      defaultValue = "6",
      description = "Passes before those, which are not counted. Default: 6.")
  private int warmups;

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

  @Override
  public Integer call() throws IOException {
    if (passes < 1 || warmups < 0) {
      throw ExitException.wrongUsage(
          "--passes " + passes + ", --warmups " + warmups + ": at least 1 and 0 are needed");
    }
    OptionChecks.atLeastOne("--limit", limit);
    Path file = InputLog.resolve(log, DataSets.installed());
    Path home = Files.createTempDirectory("cartostream-tls");
    try (ServiceCluster plain = up(home.resolve("plain"), file, false);
        ServiceCluster secured = up(home.resolve("secured"), file, true)) {
      measure(file, plain, secured);
    } finally {
      deleteIfEmpty(home);
    }
    return parent.shutdownRequest().exitCode();
  }

  /**
   * Both clusters have deleted their own, unless there is something left of one to be taken down.
   */
  private static void deleteIfEmpty(Path home) throws IOException {
    try {
      Files.delete(home);
    } catch (DirectoryNotEmptyException e) {
      // What says why is under way.
    }
  }

  private ServiceCluster up(Path home, Path file, boolean secure) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(home.getFileName() + ":");
    String two = Integer.toString(WORKERS);
    RootSettings settings =
        configuration.settings(
            Map.of("slam.particles", particles, "topology.tasks", two, "topology.workers", two));
    return ServiceCluster.up(
        home, secure, settings, InputLog.robotId(file), err::println, parent.shutdownRequest());
  }

  private void measure(Path file, ServiceCluster plain, ServiceCluster secured) {
    PrintWriter screen = spec.commandLine().getOut();
    screen.println("ms per reading    service      TLS       road      TLS        cpu      TLS");
    List<Pass> without = new ArrayList<>();
    List<Pass> with = new ArrayList<>();
    for (int i = 1; i <= warmups + passes; i++) {
      Map<ServiceCluster, Pass> both = new HashMap<>();
      for (ServiceCluster next : i % 2 == 1 ? List.of(plain, secured) : List.of(secured, plain)) {
        both.put(next, pass(file, next, i));
      }
      if (parent.shutdownRequest().requested()) {
        return;
      }
      String name = i <= warmups ? "warming up" : "pass " + (i - warmups);
      row(screen, name, List.of(both.get(plain)), List.of(both.get(secured)));
      if (i > warmups) {
        without.add(both.get(plain));
        with.add(both.get(secured));
      }
    }
    row(screen, "median", without, with);
    conclude(screen, without, with);
  }

  private Pass pass(Path file, ServiceCluster cluster, int number) {
    return cluster.pass(file, limit, out.resolve(cluster + "-" + number), parent.shutdownRequest());
  }

  /** Of several passes the medians. */
  private static void row(PrintWriter screen, String name, List<Pass> without, List<Pass> with) {
    screen.printf(
        "%-16s %8.2f %8.2f   %8.2f %8.2f   %8.2f %8.2f%n",
        name,
        median(without, Pass::serviceMillis),
        median(with, Pass::serviceMillis),
        median(without, Pass::roadMillis),
        median(with, Pass::roadMillis),
        median(without, Pass::cpuMillis),
        median(with, Pass::cpuMillis));
    screen.flush();
  }

  private static void conclude(PrintWriter screen, List<Pass> without, List<Pass> with) {
    screen.printf(
        "TLS costs %+.1f %% in the service, %+.1f %% on the road, %+.1f %% of what is computed"
            + " (medians); %+.1f %% of each reading's least time in the service; load at the end"
            + " %.1f on %d cores%n",
        percent(median(without, Pass::serviceMillis), median(with, Pass::serviceMillis)),
        percent(median(without, Pass::roadMillis), median(with, Pass::roadMillis)),
        percent(median(without, Pass::cpuMillis), median(with, Pass::cpuMillis)),
        percent(least(without), least(with)),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
    screen.flush();
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
