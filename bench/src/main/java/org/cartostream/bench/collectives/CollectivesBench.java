package org.cartostream.bench.collectives;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;

/**
 * Measurement of collective operations of groups of tasks over several channels. All
 * implementations take turns, launch by launch, so that a busy machine is busy for all of them.
 *
 * @param groups groups that are measured
 * @param launches number of launches of each group
 * @param progress receives a line for each launch, and for each implementation that cannot be
 *     measured here
 * @param shutdownRequest ends the measurement early; groups that were measured by then count
 */
public record CollectivesBench(
    Groups groups, int launches, PrintWriter progress, ShutdownRequest shutdownRequest) {

  /**
   * Groups to measure: all combinations, but for algorithms that an operation does not know.
   *
   * @param members numbers of members
   * @param bytes sizes of one member's payload
   * @param algorithms algorithms; empty for all of each operation
   */
  public record Groups(
      List<Implementation> implementations,
      List<Integer> members,
      List<Operation> operations,
      List<Algorithm> algorithms,
      List<Integer> bytes) {}

  /** Measures, with a RabbitMQ node of its own if one is needed and RabbitMQ is installed. */
  public CollectivesTable run() throws IOException, InterruptedException {
    List<Implementation> present = present();
    if (!present.contains(Implementation.RABBITMQ)) {
      return measure(present, "");
    }
    try (LocalRabbitMq broker = LocalRabbitMq.started()) {
      return measure(present, broker.uri());
    }
  }

  /** Returns the implementations that can be measured here; prints which cannot, and why. */
  private List<Implementation> present() {
    Optional<String> missing = GroupLauncher.missingMpj();
    List<Implementation> present = new ArrayList<>(groups.implementations);
    if (missing.isPresent() && present.removeIf(Implementation::isMpj)) {
      progress.println(missing.get() + ": its columns are left out");
    }
    Optional<String> missingBroker = LocalRabbitMq.missing();
    if (missingBroker.isPresent() && present.remove(Implementation.RABBITMQ)) {
      progress.println(missingBroker.get() + ": it is left out");
    }
    return present;
  }

  private CollectivesTable measure(List<Implementation> present, String broker)
      throws InterruptedException {
    CollectivesTable table = new CollectivesTable();
    for (int count : groups.members) {
      Map<Implementation, CollectiveCost.Times> times = new LinkedHashMap<>();
      for (int launch = 1; launch <= launches; launch++) {
        for (Implementation each : present) {
          if (!shutdownRequest.requested()) {
            progress.println(
                "%d members, %s in %s, launch %d of %d"
                    .formatted(count, each.channel(), each.place(), launch, launches));
            launch(each, count, broker)
                .ifPresent(
                    lines ->
                        times
                            .computeIfAbsent(each, one -> new CollectiveCost.Times(one, count))
                            .add(lines));
          }
        }
      }
      times.values().forEach(each -> table.add(each.figures()));
    }
    return table;
  }

  /**
   * Launches a group once; empty if that was interrupted: Ctrl-C reaches the members' processes as
   * well, and ends them.
   */
  private Optional<List<List<String>>> launch(
      Implementation implementation, int count, String broker) throws InterruptedException {
    try {
      return Optional.of(
          new GroupLauncher(implementation, count, cases(implementation), broker).run());
    } catch (IOException e) {
      if (shutdownRequest.requested()) {
        return Optional.empty();
      }
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  private List<CollectiveCase> cases(Implementation implementation) {
    Set<CollectiveCase> cases = new LinkedHashSet<>();
    for (Operation operation : groups.operations) {
      for (int size : operation == Operation.BARRIER ? List.of(0) : groups.bytes) {
        (implementation.isMpj() ? List.of(Algorithm.AUTO) : algorithms(operation))
            .forEach(algorithm -> cases.add(new CollectiveCase(operation, algorithm, size)));
      }
    }
    return List.copyOf(cases);
  }

  private List<Algorithm> algorithms(Operation operation) {
    if (groups.algorithms.isEmpty()) {
      return List.copyOf(operation.algorithms());
    }
    return groups.algorithms.stream()
        .filter(each -> each == Algorithm.AUTO || operation.algorithms().contains(each))
        .toList();
  }
}
