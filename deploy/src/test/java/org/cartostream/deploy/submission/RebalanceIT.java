package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.apache.curator.test.TestingServer;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.testing.Default;
import org.cartostream.topology.local.LocalZooKeeper;
import org.cartostream.topology.task.ActiveTasks;
import org.cartostream.topology.task.FencingToken;
import org.cartostream.topology.task.TaskContext;
import org.junit.jupiter.api.Test;

/** What is asked of a topology, and what is left of it, in a real ZooKeeper. */
@Default
class RebalanceIT {

  private static final int TASKS = 3;

  private static TaskContext place(String topology, String zookeeper) {
    return new TaskContext(
        0,
        1,
        topology,
        ZooKeeperAccess.plain(zookeeper),
        "127.0.0.1",
        System::nanoTime,
        Runnable::run);
  }

  @Test
  void hearsWhatWasWrittenIntoZooKeeperLast() throws Exception {
    try (LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
      ZooKeeperAccess at = ZooKeeperAccess.plain("127.0.0.1:" + zookeeper.port());
      try (ActiveTasks active =
          ActiveTasks.watch(
              new TaskContext(0, TASKS, "mine-1", at, "", System::nanoTime, Runnable::run))) {
        assertThat(active.getAsInt()).isZero();
        Rebalance.request(at, "other-1", 3);
        for (int wanted : new int[] {2, 1}) {
          Rebalance.request(at, "mine-1", wanted);
          await().atMost(Duration.ofSeconds(120)).until(() -> active.getAsInt() == wanted);
        }
      }
    }
  }

  @Test
  void nothingIsLeftOfATopologyThatIsForgotten() throws Exception {
    try (TestingServer zookeeper = new TestingServer()) {
      TaskContext taskContext = place("mine-1", zookeeper.getConnectString());
      FencingToken.next(taskContext);
      FencingToken.next(taskContext);
      Rebalance.forget(taskContext.zookeeper(), taskContext.topology());
      assertThat(FencingToken.next(taskContext)).isEqualTo(1);
    }
  }
}
