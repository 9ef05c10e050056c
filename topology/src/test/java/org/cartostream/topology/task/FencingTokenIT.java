package org.cartostream.topology.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Numbers that grow, from a real ZooKeeper. */
@Default
class FencingTokenIT {

  private static final int TASKS = 6;
  private static final int WAIT_SECONDS = 60;
  private static final int PATIENCE_MILLIS = 300;
  private static final int TERMS = 20;

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
  void noTwoTasksHaveTheSameAndOneThatBeginsLaterHasAGreater() throws Exception {
    try (TestingServer zookeeper = new TestingServer()) {
      TaskContext taskContext = place("mine-1", zookeeper.getConnectString());
      List<Long> before = ofSeveralAtOnce(taskContext);
      long after = FencingToken.next(taskContext);

      assertThat(before).doesNotHaveDuplicates().allMatch(term -> term >= 1 && term < after);
      assertThat(FencingToken.next(place("other-1", zookeeper.getConnectString()))).isEqualTo(1);
    }
  }

  private static List<Long> ofSeveralAtOnce(TaskContext taskContext) throws Exception {
    ExecutorService tasks = Executors.newFixedThreadPool(TASKS);
    try {
      List<Future<Long>> all = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        all.add(tasks.submit(() -> FencingToken.next(taskContext)));
      }
      List<Long> terms = new ArrayList<>();
      for (Future<Long> each : all) {
        terms.add(each.get(WAIT_SECONDS, TimeUnit.SECONDS));
      }
      return terms;
    } finally {
      tasks.shutdownNow();
    }
  }

  @Test
  void waitsForZooKeeper() throws Exception {
    int port = InstanceSpec.getRandomPort();
    TaskContext taskContext = place("mine-1", "127.0.0.1:" + port);
    ListAppender<ILoggingEvent> remarks = new ListAppender<>();
    remarks.list = new CopyOnWriteArrayList<>();
    remarks.start();
    Logger logger = (Logger) LoggerFactory.getLogger(FencingToken.class);
    logger.addAppender(remarks);
    ExecutorService task = Executors.newSingleThreadExecutor();
    try (TestingServer zookeeper = new TestingServer(port, false)) {
      Future<Long> term = task.submit(() -> FencingToken.next(taskContext, PATIENCE_MILLIS));
      await()
          .atMost(Duration.ofSeconds(WAIT_SECONDS))
          .until(
              () ->
                  remarks.list.stream()
                      .anyMatch(e -> e.getFormattedMessage().contains("waits for its term")));
      assertThat(term).isNotDone();
      zookeeper.start();
      assertThat(term.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    } finally {
      task.shutdownNow();
      logger.detachAppender(remarks);
    }
  }

  @Test
  @Timeout(WAIT_SECONDS)
  void isCountedAnewIfTheTopologyIsForgottenMeanwhile() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (TestingServer zookeeper = new TestingServer();
        CuratorFramework client =
            CuratorFrameworkFactory.newClient(
                zookeeper.getConnectString(), new RetryOneTime(PATIENCE_MILLIS))) {
      TaskContext taskContext = place("mine-1", zookeeper.getConnectString());
      client.start();
      AtomicBoolean enough = new AtomicBoolean();
      Future<Void> forgets =
          other.submit(
              () -> {
                while (!enough.get()) {
                  client.delete().quietly().forPath(FencingToken.FOLDER + "/mine-1");
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // Let it count.
                }
                return null;
              });
      for (int i = 0; i < TERMS; i++) {
        assertThat(FencingToken.next(taskContext)).isPositive();
      }
      enough.set(true);
      forgets.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } finally {
      other.shutdownNow();
    }
  }
}
