package org.cartostream.ros.ros2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.rtps.participant.DomainAccess;
import org.cartostream.ros.tcpros.TcpRosNode;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What a node of ROS 2 costs beside one of ROS 1, in one run: scans of 720 beams, 20 a second. */
@Nightly
@Timeout(180)
// It measures: its figures want a machine that has nothing else to do.
@EnabledIfSystemProperty(named = "cartostream.soak", matches = "true")
class NodeCostIT {

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int WARM_UP = 400;
  private static final int SCANS = 400;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Random random = new Random(35);

  private LaserScan scan() {
    float[] ranges = new float[720];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = 12 * random.nextFloat();
    }
    Header header =
        new Header(0, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()), "laser");
    return new LaserScan(header, -3, 3, 0.008f, 0, 0.05f, 0.1f, 12, ranges, new float[0]);
  }

  /** CPU time of all threads but the sender's own, which is the same for both. */
  private long nodeNanos() {
    long all = 0;
    for (long id : threads.getAllThreadIds()) {
      all += id == Thread.currentThread().getId() ? 0 : Math.max(0, threads.getThreadCpuTime(id));
    }
    return all;
  }

  /** Of both nodes, for so many scans that all arrive. */
  private long cost(RosNode.Publisher<LaserScan> publisher, AtomicInteger received, int scans) {
    int end = received.get() + scans;
    long before = nodeNanos();
    long due = System.nanoTime();
    for (int i = 0; i < scans; i++) {
      publisher.send(scan());
      due += PERIOD_NANOS;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
    await().atMost(Duration.ofSeconds(10)).until(() -> received.get() >= end);
    return nodeNanos() - before;
  }

  @Test
  void aNodeOfRos2CostsNoMoreThanTwiceOneOfRos1() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    DomainAccess access =
        Ros2Environment.access(
            Map.of("ROS_DOMAIN_ID", "74", "ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"), "");
    MasterMonitor monitor = new MasterMonitor();
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    try (LocalRosMaster ros = LocalRosMaster.started();
        RosNode from1 = TcpRosNode.start(ros.uri(), names("from"), ros.environment(), monitor);
        RosNode to1 = TcpRosNode.start(ros.uri(), names("to"), ros.environment(), monitor);
        RosNode from2 = Ros2Node.start(access, names("from"), monitor);
        RosNode to2 = Ros2Node.start(access, names("to"), monitor)) {
      to1.subscribe("scan", LaserScan.TYPE, scan -> first.incrementAndGet());
      to2.subscribe("scan", LaserScan.TYPE, scan -> second.incrementAndGet());
      RosNode.Publisher<LaserScan> ros1 = from1.advertise("scan", LaserScan.TYPE, false);
      RosNode.Publisher<LaserScan> ros2 = from2.advertise("scan", LaserScan.TYPE, false);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> { // Until both ends know each other, scans are dropped.
                ros1.send(scan());
                ros2.send(scan());
                return first.get() > 0 && second.get() > 0;
              });
      cost(ros1, first, WARM_UP);
      cost(ros2, second, WARM_UP);
      long of1 = cost(ros1, first, SCANS);
      long of2 = cost(ros2, second, SCANS);
      System.out.printf(
          "%d scans: %.0f ms in ROS 1's nodes, %.0f ms in ROS 2's%n", SCANS, of1 / 1e6, of2 / 1e6);
      assertThat(of2).isLessThan(2 * of1);
    }
  }

  private static GraphNames names(String node) {
    return new GraphNames("/", node, Map.of());
  }
}
