package org.cartostream.bench.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cartostream.bench.faults.FaultyLogWriter;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.files.InputLog;
import org.cartostream.sim.log.Recording;
import org.cartostream.slam.log.LaserLog;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code bench faulty-logs}. */
@Command(
    name = "faulty-logs",
    description = {
      "Write a log, sound and with each fault that robots' odometry has, for 'accuracy --logs'.",
      "",
      "Without LOG it is a simulated drive.",
      ""
    },
    footer = {"", "Example:", "  bench faulty-logs out/faulty 1 intel.clf intel.reference.tum"})
final class BenchFaultyLogsCommand implements Callable<Integer> {

  /** Options for the lasers with which logs are recorded. */
  static final class Lasers {

    @Option(
        names = "--lasers",
        description = "A simulated drive of short steps with each laser that robots have.")
    private boolean models;

    @Option(names = "--lesser", description = "LOG as lasers that see less would have recorded it.")
    private boolean lesser;
  }

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FOLDER", description = "Is made if it is missing.")
  private Path folder;

  @Parameters(index = "1", paramLabel = "SEED", description = "Of faults and simulated drives.")
  private long seed;

  @Parameters(index = "2", arity = "0..1", paramLabel = "LOG", description = "A log file.")
  private Path log;

  @Parameters(
      index = "3",
      arity = "0..1",
      paramLabel = "REFERENCE",
      description = "Its true path, as a TUM file.")
  private Path reference;

  @ArgGroup private Lasers lasers = new Lasers();

  @Mixin private LimitOption limit;

  @Override
  public Integer call() throws IOException {
    if (log != null && reference == null || lasers.lesser && log == null) {
      throw ExitException.wrongUsage("a log and its reference are needed: LOG REFERENCE");
    }
    if (lasers.models && log != null) {
      throw ExitException.wrongUsage("--lasers simulates its logs; '" + log + "' has no place");
    }
    int first = (int) Math.min(limit.scans(), Integer.MAX_VALUE);
    FaultyLogWriter logs = new FaultyLogWriter(folder, seed, spec.commandLine().getOut());
    if (lasers.models) {
      logs.writeLasers();
    } else if (log == null) {
      logs.writeSimulated();
    } else {
      String name = log.getFileName().toString().replaceFirst("\\.[^.]+(\\.(gz|zip))?$", "");
      LaserLog scans = InputLog.open(log);
      Recording recording = Recording.read(scans, reference).first(first);
      if (lasers.lesser) {
        logs.writeLesser(name, recording);
      } else {
        logs.write(name, recording);
      }
    }
    spec.commandLine().getOut().flush();
    return 0;
  }
}
