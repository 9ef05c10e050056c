package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.submission.Rebalance;
import org.junit.jupiter.api.Test;

/** Particles leave tasks that are to hold none any more, and come back. */
class ActiveTasksTest {

  private static final int PARTICLES = 12;
  private static final int TASKS = 3;

  @Test
  void hearsWhatWasWrittenIntoZooKeeperLast() throws Exception {
    try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
      ZooKeeperAccess at = ZooKeeperAccess.plain("127.0.0.1:" + zookeeper.port());
      try (ActiveTasks active = ActiveTasks.watch(new Place(0, TASKS, "mine-1", at, ""))) {
        assertThat(active.getAsInt()).isZero();
        Rebalance.ask(at, "other-1", 3);
        for (int wanted : new int[] {2, 1}) {
          Rebalance.ask(at, "mine-1", wanted);
          await().atMost(Duration.ofSeconds(120)).until(() -> active.getAsInt() == wanted);
        }
      }
    }
  }

  @Test
  void theFirstTasksWordDecidesWhoHoldsParticlesAfterAResampling() {
    Council council =
        new Council(
            new ServiceSettings(
                Filters.restless(PARTICLES),
                BrokerSettings.defaults(),
                Settings.defaults(TopologySettings.class)),
            new Run("r1", 1, 1),
            TASKS);
    int[] owners = Assignment.first(PARTICLES, TASKS);

    owners = decide(council, 1, owners, 0, 1);
    assertThat(owners).as("the others' words do not count").contains(0, 1, 2);
    owners = decide(council, 2, owners, 2, 0);
    assertThat(owners).contains(0, 1).doesNotContain(2);
    owners = decide(council, 3, owners, 1, 0);
    assertThat(owners).containsOnly(0);
    owners = decide(council, 4, owners, 3, 0);
    assertThat(owners).contains(0, 1, 2);
  }

  /** One particle in each half is right, so that the council resamples. */
  private static int[] decide(Council council, long sequence, int[] owners, int first, int others) {
    List<Statement> statements = new ArrayList<>();
    for (int task = 0; task < TASKS; task++) {
      int[] mine = Assignment.ownedBy(task, owners);
      double[] zeros = new double[mine.length];
      double[] fit = IntStream.of(mine).mapToDouble(i -> i % 6 == 0 ? 0 : -1000).toArray();
      Beliefs beliefs =
          new Beliefs(sequence, mine, zeros, zeros, zeros, fit, new long[mine.length], 0);
      statements.add(new Statement(beliefs, 0, task == 0 ? first : others));
    }
    Council.Decision decision = council.decide(statements);
    assertThat(decision.resampling().resampled()).isTrue();
    return decision.owners();
  }
}
