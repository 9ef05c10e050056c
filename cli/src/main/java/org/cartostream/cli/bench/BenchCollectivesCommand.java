package org.cartostream.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.cartostream.bench.collectives.CollectiveCase;
import org.cartostream.bench.collectives.CollectiveCost;
import org.cartostream.bench.collectives.CollectivesTable;
import org.cartostream.bench.collectives.GroupLauncher;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.broker.local.LocalRabbitMq;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cartostream bench collectives}.
 *
 * <p>All contenders take turns, launch by launch, so that a busy machine is busy for all of them.
 */
@Command(
    name = "collectives",
    description = {
      "Measure what operations of a group of tasks cost, over each channel and, where it is"
          + " installed, with MPJ Express.",
      ""
    },
    footer = {
      "",
      "'alone' is the call of the member that takes longest, with a barrier before it; 'in row' is",
      "one operation of many, with roots in turn. Calls of MPJ Express end alone. 'MPJ/it'",
      "compares alone with alone, for members that live alike. Each member begins with its own",
      "payload and ends with its own copy, in arrays used before; what comes is compared with",
      "what should.",
      "",
      "Example:",
      "  cartostream bench collectives --members 4 --bytes 160000"
    })
final class BenchCollectivesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @ParentCommand private BenchCommand parent;

  @Option(
      names = "--operations",
      paramLabel = "O",
      split = ",",
      defaultValue = "barrier,broadcast,all-gather,all-reduce,all-to-all",
      description =
          "barrier, broadcast, scatter, gather, all-gather, reduce, all-reduce, all-to-all."
              + " Default: ${DEFAULT-VALUE}.")
  private List<String> operations;

  @Option(
      names = "--algorithms",
      paramLabel = "A",
      split = ",",
      defaultValue = "auto",
      description =
          "auto, flat, tree, ring, two-rings, doubling, or all; an operation is measured by those"
              + " that it knows. Default: auto.")
  private List<String> algorithms;

  @Option(
      names = "--endings",
      paramLabel = "E",
      split = ",",
      defaultValue = "ALONE,TOGETHER",
      description = "When a call ends: alone, together. Default: both.")
  private List<CompletionMode> completionModes;

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
      names = "--contenders",
      paramLabel = "C",
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
    PrintWriter screen = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    parent.shutdownRequest(); // From here on, for a broker that is started is to be stopped.
    Path figures = out.prepare();
    List<Implementation> present = present(err);
    if (!present.contains(Implementation.RABBITMQ)) {
      return measure(present, "", figures, screen, err);
    }
    try (LocalRabbitMq broker = LocalRabbitMq.started()) {
      return measure(present, broker.uri(), figures, screen, err);
    }
  }

  private int measure(
      List<Implementation> present,
      String broker,
      Path figures,
      PrintWriter screen,
      PrintWriter err)
      throws IOException, InterruptedException {
    CollectivesTable table = new CollectivesTable();
    for (int count : members) {
      Map<Implementation, CollectiveCost.Times> times = new LinkedHashMap<>();
      for (int launch = 0; launch < launches; launch++) {
        for (Implementation implementation : present) {
          if (parent.shutdownRequest().requested()) {
            continue;
          }
          err.println(
              "%d members, %s in %s, launch %d of %d"
                  .formatted(
                      count,
                      implementation.channel(),
                      implementation.place(),
                      launch + 1,
                      launches));
          run(implementation, count, broker)
              .ifPresent(
                  lines ->
                      times
                          .computeIfAbsent(
                              implementation, each -> new CollectiveCost.Times(each, count))
                          .add(lines));
        }
      }
      times.values().forEach(each -> table.add(each.figures()));
    }
    table.print(screen);
    ResultFolderOption.printWritten(table.write(figures), screen);
    return parent.shutdownRequest().exitCode();
  }

  /** Those that can be measured here; says which cannot, and why. */
  private List<Implementation> present(PrintWriter err) {
    Optional<String> missing = GroupLauncher.missingMpj();
    List<Implementation> present = new ArrayList<>(implementations);
    if (missing.isPresent() && present.removeIf(Implementation::isMpj)) {
      err.println(missing.get() + ": its columns are left out");
    }
    Optional<String> missingBroker = LocalRabbitMq.missing();
    if (missingBroker.isPresent() && present.remove(Implementation.RABBITMQ)) {
      err.println(missingBroker.get() + ": it is left out");
    }
    return present;
  }

  /** Empty if it was interrupted: Ctrl-C reaches the members' processes as well, and ends them. */
  private Optional<List<List<String>>> run(Implementation implementation, int count, String broker)
      throws InterruptedException {
    try {
      return Optional.of(
          new GroupLauncher(implementation, count, cells(implementation), broker).run());
    } catch (IOException e) {
      if (parent.shutdownRequest().requested()) {
        return Optional.empty();
      }
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  private List<CollectiveCase> cells(Implementation implementation) {
    Set<CollectiveCase> collectiveCases = new LinkedHashSet<>();
    for (String name : operations) {
      Operation operation = operation(name);
      for (int size : operation == Operation.BARRIER ? List.of(0) : bytes) {
        if (implementation.isMpj()) {
          collectiveCases.add(
              new CollectiveCase(operation, Algorithm.AUTO, CompletionMode.ALONE, size));
        } else {
          for (Algorithm algorithm : algorithms(operation)) {
            completionModes.forEach(
                completionMode ->
                    collectiveCases.add(
                        new CollectiveCase(operation, algorithm, completionMode, size)));
          }
        }
      }
    }
    return List.copyOf(collectiveCases);
  }

  private static Operation operation(String name) {
    for (Operation operation : Operation.values()) {
      if (operation.toString().equals(name)) {
        return operation;
      }
    }
    throw ExitException.wrongUsage("--operations " + name + ": no such operation; see --help");
  }

  private List<Algorithm> algorithms(Operation operation) {
    if (algorithms.contains("all")) {
      return List.copyOf(operation.algorithms());
    }
    try {
      return algorithms.stream()
          .map(name -> Algorithm.named(name.toLowerCase(Locale.ROOT)))
          .filter(each -> each == Algorithm.AUTO || operation.algorithms().contains(each))
          .toList();
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--algorithms: " + e.getMessage());
    }
  }
}
