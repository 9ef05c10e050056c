package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.cartostream.bench.collectives.CollectivesBench;
import org.cartostream.bench.collectives.CollectivesTable;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code bench collectives}. */
@Command(
    name = "collectives",
    description = {
      "Measure what operations of a group of tasks cost, over each channel and, where it is"
          + " installed, with MPJ Express.",
      ""
    },
    footer = {
      "",
      "'alone' is the call of the member that takes longest, with a barrier before it; 'in"
          + " row' is one operation of many, with roots in turn; 'cpu' is all members' computing"
          + " time for it. 'MPJ/it' compares alone with alone, for members that live alike. Each member begins"
          + " with its own payload and ends with its own copy, in arrays used before; what comes"
          + " is compared with what should.",
      "",
      "Example:",
      "  bench collectives --members 4 --bytes 160000"
    })
final class BenchCollectivesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Option(
      names = "--operations",
      paramLabel = "O",
      split = ",",
      defaultValue = "barrier,broadcast,all-gather,all-to-all",
      description = "barrier, broadcast, all-gather, all-to-all. Default: ${DEFAULT-VALUE}.")
  private List<String> operations;

  @Option(
      names = "--algorithms",
      paramLabel = "A",
      split = ",",
      defaultValue = "auto",
      description =
          "auto, flat, doubling, or all; an operation is measured by those"
              + " that it knows. Default: auto.")
  private List<String> algorithms;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      split = ",",
      defaultValue = "100,10000,160000,1000000",
      description = "Bytes of one member's payload. Default: ${DEFAULT-VALUE}.")
  private List<Integer> bytes;

  @Option(
      names = "--members",
      paramLabel = "N",
      split = ",",
      defaultValue = "2,4,8",
      description = "Members of the group, as in 2,4,20,60. Default: ${DEFAULT-VALUE}.")
  private List<Integer> members;

  @Option(
      names = "--implementations",
      paramLabel = "I",
      split = ",",
      defaultValue = "MEMORY,MPJ_THREADS,TCP_JVMS,MPJ_JVMS",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private List<Implementation> implementations;

  @Option(
      names = "--launches",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each group is started. Default: 3.")
  private int launches;

  @Mixin private ResultFolderOption out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks.atLeastOne("--bytes", bytes);
    OptionChecks.atLeastOne("--members", members);
    OptionChecks.atLeastOne("--launches", launches);
    List<Operation> measured = operations.stream().map(BenchCollectivesCommand::operation).toList();
    CollectivesBench.Groups groups =
        new CollectivesBench.Groups(implementations, members, measured, algorithms(), bytes);
    // From here on a signal only makes a request, so that a broker that is started is stopped, too.
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    Path figures = out.prepare();
    PrintWriter screen = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    CollectivesTable table = new CollectivesBench(groups, launches, err, shutdownRequest).run();
    table.print(screen);
    ResultFolderOption.printWritten(table.write(figures), screen);
    return shutdownRequest.exitCode();
  }

  private static Operation operation(String name) {
    for (Operation operation : Operation.values()) {
      if (operation.toString().equals(name)) {
        return operation;
      }
    }
    throw ExitException.wrongUsage("--operations " + name + ": no such operation; see --help");
  }

  /** Returns the algorithms to measure; empty for all that an operation knows. */
  private List<Algorithm> algorithms() {
    if (algorithms.contains("all")) {
      return List.of();
    }
    try {
      return algorithms.stream()
          .map(name -> Algorithm.named(name.toLowerCase(Locale.ROOT)))
          .toList();
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--algorithms: " + e.getMessage());
    }
  }
}
