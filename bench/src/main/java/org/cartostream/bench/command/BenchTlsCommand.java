package org.cartostream.bench.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.bench.tls.TlsBench;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.LimitOption;
import org.cartostream.cli.options.LogParameter;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs {@code bench tls}. */
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
    footer = {"", "Example:", "  bench tls aces.clf --particles 30"})
final class BenchTlsCommand implements Callable<Integer> {

  private static final String WORKERS = "2";

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Mixin private LogParameter log;

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

  @Mixin private LimitOption limit;

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
    long scans = limit.scans();
    Path file = log.file();
    RootSettings settings =
        configuration.settings(
            Map.of(
                "slam.particles",
                particles,
                "topology.tasks",
                WORKERS,
                "topology.workers",
                WORKERS));
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    new TlsBench(file, scans, settings, warmups, passes, out, shutdownRequest)
        .run(spec.commandLine().getOut(), spec.commandLine().getErr());
    return shutdownRequest.exitCode();
  }
}
