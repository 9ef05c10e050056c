package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/**
 * A robot drives round and round in one corridor: 4 km, or as many rounds of 48 m as {@code
 * -Dcartostream.rounds} says. Prints what the searches took in each kilometre.
 */
@Nightly(computes = true)
class GrowingPoseGraphAccuracyTest {

  private static final int ROUNDS = Integer.getInteger("cartostream.rounds", 80);
  private static final int POSES_A_KILOMETRE = (int) (1000 / RingDrive.STEP);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<LongSummaryStatistics> searches = new ArrayList<>();

  private void search(OnlineLoopClosure search) {
    int kilometre = (int) (search.dueAt() / POSES_A_KILOMETRE);
    while (searches.size() <= kilometre) {
      searches.add(new LongSummaryStatistics());
    }
    long before = threads.getCurrentThreadCpuTime();
    search.run();
    searches.get(kilometre).accept(threads.getCurrentThreadCpuTime() - before);
  }

  @Test
  void whereTheWholeGraphCostsTooMuchTheRobotIsToldWhereItIsAllTheSame() {
    List<Pose> truth = RingDrive.rounds(ROUNDS);
    List<PosedScan> path = new ArrayList<>();
    Pose pose = Pose.ORIGIN;
    for (PosedScan each : RingDrive.bent(truth, RingDrive.ring(), 0)) {
      Pose motion = path.isEmpty() ? Pose.ORIGIN : truth.get(path.size() - 1).to(each.pose());
      pose = pose.then(motion).then(new Pose(0, 0, 0.0005 * motion.x())); // 1.4 degrees a round.
      path.add(new PosedScan(pose, each.scan()));
    }

    GrowingPoseGraphTest.Told told =
        new GrowingPoseGraphTest.Told(GrowingPoseGraphTest.SETTINGS, path, this::search);

    for (int km = 0; km < searches.size(); km++) {
      LongSummaryStatistics each = searches.get(km);
      System.out.printf(
          "km %d: %d searches, %.1f ms of CPU each, %.0f ms the longest%n",
          km + 1, each.getCount(), each.getAverage() / 1e6, each.getMax() / 1e6);
    }
    assertThat(told.graph.solution().work().suffices()).isFalse();
    double worst = 0;
    double worstLocal = 0;
    for (int i = truth.size() / 2; i < truth.size(); i++) {
      worst = Math.max(worst, truth.get(i).distance(told.live.get(i)));
      worstLocal = Math.max(worstLocal, truth.get(i).distance(path.get(i).pose()));
    }
    System.out.printf("in the second half off by %.2f m, the filter %.1f m%n", worst, worstLocal);
    assertThat(worstLocal).as("of what the filter has").isGreaterThan(5);
    assertThat(worst).isLessThan(0.6);
  }
}
