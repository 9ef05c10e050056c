package org.cartostream.slam.preprocess;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RobotBodyFilterTest {

  private static final long SEED = 41;
  private static final float FAR = 3;

  private final RobotBodyFilter robotBodyFilter = new RobotBodyFilter();

  /** As of a laser that looks all around; its first beam looks backwards. */
  private static float[] around(float range) {
    float[] ranges = new float[360];
    Arrays.fill(ranges, range);
    return ranges;
  }

  private Scan leaveOut(float... ranges) {
    return robotBodyFilter.filter(
        new Scan(new Pose(0.1, 0, 1), -Math.PI, Math.toRadians(1), 0.05, 10, ranges));
  }

  private static int hits(Scan scan) {
    int hits = 0;
    for (int i = 0; i < scan.beams(); i++) {
      hits += scan.isHit(i) ? 1 : 0;
    }
    return hits;
  }

  @Test
  void aPostIsLeftOutFromTheFirstReadingOn() {
    Random random = new Random(SEED);
    for (int reading = 0; reading < 1_000; reading++) {
      float[] ranges = around(FAR + 0.01f * (reading % 500));
      int wide = 4 + random.nextInt(3); // Its edges are met now and then.
      for (int i = 0; i < wide; i++) {
        ranges[44 - wide / 2 + i] = 0.2f + 0.012f * (float) random.nextGaussian();
      }
      if (reading > 10 && reading % 10 == 0) {
        ranges[44] = Float.POSITIVE_INFINITY;
        ranges[45] = 1;
      }
      Scan without = leaveOut(ranges);
      for (int i = 0; i < ranges.length; i++) {
        boolean isPost = ranges[i] < 0.5f;
        assertThat(without.isHit(i))
            .as("seed %d, reading %d, beam %d at %f", SEED, reading, i, ranges[i])
            .isEqualTo(!isPost && Float.isFinite(ranges[i]));
      }
    }
  }

  @Test
  void aWallIsSeenAsSoonAsTheRobotMoves() {
    assertThat(hits(leaveOut(around(0.4f)))).as("may be a fairing").isZero();
    for (int standing = 0; standing < 10_000; standing++) {
      leaveOut(around(0.4f));
    }
    for (int step = 1; step <= 4; step++) {
      leaveOut(around(0.4f + 0.06f * step));
    }
    assertThat(hits(leaveOut(around(0.4f)))).as("for good").isEqualTo(360);
  }

  @Test
  void aWallThatIsLeftIsReleased() {
    leaveOut(around(0.4f));
    for (int away = 0; away < 20; away++) {
      leaveOut(around(Float.POSITIVE_INFINITY));
    }
    assertThat(hits(leaveOut(around(0.4f)))).isEqualTo(360);
  }

  @Test
  void whatComesNearLaterIsNone() {
    leaveOut(around(FAR));
    for (int reading = 0; reading < 100; reading++) {
      assertThat(hits(leaveOut(around(0.2f)))).isEqualTo(360);
    }
  }

  @Test
  void aScanWithoutAnyPartIsTheSame() {
    Scan scan = new Scan(Pose.ORIGIN, -1, 0.1, 0.05, 10, new float[] {0.6f, 0.02f, Float.NaN});
    assertThat(robotBodyFilter.filter(scan)).isSameAs(scan);
  }

  @Test
  void aRobotBehindPostsIsNotHeldBackByThem() {
    Map<String, String> few = Map.of("particles", "10");
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, few), "posts");
    Pose truth = Pose.ORIGIN;
    Pose odometry = Pose.ORIGIN; // Out of scale by a tenth.
    for (int k = 1; k <= 120; k++) {
      Scan scan = Room.askew().scan(truth, Room.Laser.FULL_TURN);
      for (int i = 0; i < scan.beams(); i++) {
        scan.ranges()[i] = i % 60 < 20 ? 0.2f + 0.001f * (i % 60) : scan.ranges()[i];
      }
      Reading reading = new Reading(k * 200_000_000L, odometry, scan);
      var processed = (SerialFilter.Result.Processed) filter.process(k, reading);
      assertThat(processed.pose().correction().apply(processed.pose().local()).distance(truth))
          .as("reading %d", k)
          .isLessThan(0.05);
      truth = truth.then(new Pose(0.05, 0, 0.06));
      odometry = odometry.then(new Pose(0.045, 0, 0.06));
    }
  }

  @Test
  void rangesAreNotWrittenTo() {
    float[] ranges = around(0.3f);
    leaveOut(ranges);
    assertThat(ranges).containsOnly(0.3f);
  }
}
