package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.session.ServiceClockOffset;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.node.RosNode;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class MapToOdomPublisherTest {

  private static final long NOW = TimeUnit.SECONDS.toNanos(1_700_000_000);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  private final RobotClock clock = new RobotClock(new ServiceClockOffset());
  private final List<Long> stamps = new ArrayList<>();
  private final List<String> announcements = new ArrayList<>();
  private Transform sent;
  private final MapToOdomPublisher mapToOdomPublisher =
      new MapToOdomPublisher(
          new RosNode.Publisher<TfMessage>() {
            @Override
            public void send(TfMessage message) {
              stamps.add(message.transforms().get(0).header().stamp());
              sent = message.transforms().get(0).transform();
            }

            @Override
            public int subscribers() {
              return 1;
            }
          },
          Settings.defaults(RosSettings.class),
          clock,
          announcements::add);

  /** What is published when the robot's pose is known anew. */
  private Pose corrected(Pose local, Correction correction, Pose inOdom) {
    long now = NOW + stamps.size() * SECOND;
    clock.onStamp(now, now);
    mapToOdomPublisher.correct(local, correction, inOdom);
    mapToOdomPublisher.publish(now);
    return RigidTransform.of(sent).planar();
  }

  private static void assertSame(Pose actual, Pose expected) {
    assertThat(actual.distance(expected)).isLessThan(1e-12);
    assertThat(Math.abs(Pose.wrap(actual.theta() - expected.theta()))).isLessThan(1e-12);
  }

  /**
   * The filter has turned by 90 degrees against odometry, which is at (1, 2): so odometry's origin
   * is at (3, 4) + (2, -1) on the local map.
   */
  @Test
  void withoutCorrectionsItIsOfTheFiltersPose() {
    Pose frame = corrected(new Pose(3, 4, Math.PI / 2), Correction.NONE, new Pose(1, 2, 0));
    assertSame(frame, new Pose(5, 3, Math.PI / 2));
  }

  /** Its pose in the map is not that by odometry, and nobody knows which it is. */
  @Test
  void nothingIsSentWhileTheRobotIsLookedFor() {
    clock.onStamp(NOW, NOW);
    mapToOdomPublisher.hold();
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps).isEmpty();
    Pose frame = corrected(new Pose(3, 4, Math.PI / 2), Correction.NONE, new Pose(1, 2, 0));
    assertSame(frame, new Pose(5, 3, Math.PI / 2));
  }

  /** Wherever the robot is: what a closed loop moves is the frame below it. */
  @Test
  void aCorrectionMovesTheFrameByItsTransform() {
    Pose local = new Pose(3, 4, Math.PI / 2);
    Pose inOdom = new Pose(1, 2, 0);
    Pose transform = new Pose(-2, 1, Math.PI / 2);
    corrected(local, Correction.NONE, inOdom);
    Pose after = corrected(local, new Correction(1, transform, 7.3), inOdom);
    // (5, 3) turned by 90 degrees is (-3, 5); the headings add up.
    assertSame(after, new Pose(-5, 6, Math.PI));
    Pose driven = new Pose(0.7, -0.2, 0.3);
    assertSame(
        corrected(local.then(driven), new Correction(1, transform, 7.3), inOdom.then(driven)),
        after);
  }

  @Test
  void saysEachCorrectionOnce() {
    Correction third = new Correction(3, new Pose(0.5, 0, 0), 0.834);
    Correction fifth = new Correction(5, new Pose(0.6, 0, 0), 0.1);
    for (Correction each : List.of(Correction.NONE, third, third, fifth, fifth)) {
      corrected(Pose.ORIGIN, each, Pose.ORIGIN);
    }
    assertThat(announcements)
        .containsExactly(
            "map corrected (3): loops move the robot's pose by 0.83 m",
            "map corrected (5): loops move the robot's pose by 0.10 m");
    assertThat(mapToOdomPublisher.moves().correction()).isEqualTo(fifth);
    announcements.clear();

    mapToOdomPublisher.reset(); // A new run counts anew.
    assertThat(mapToOdomPublisher.moves().correction()).isEqualTo(Correction.NONE);
    corrected(Pose.ORIGIN, third, Pose.ORIGIN);
    assertThat(announcements).hasSize(1);
  }

  /** By 0.09 m, which is usual, then by 0.12 m, then by a loop. */
  @Test
  void saysEachJumpWithoutACorrection() {
    corrected(new Pose(2, 0, 0), Correction.NONE, new Pose(2, 0, 0));
    corrected(new Pose(2, 0.09, 0), Correction.NONE, new Pose(2, 0, 0));
    assertThat(announcements).isEmpty();
    corrected(new Pose(2, 0.09, 0), Correction.NONE, new Pose(2, 0.12, 0));
    assertThat(announcements)
        .containsExactly("the robot's pose moves by 0.12 m beyond odometry; no loop was closed");
    Correction first = new Correction(1, new Pose(3, 0, 0), 3);
    corrected(new Pose(2, 0.09, 0), first, new Pose(2, 0.12, 0));
    assertThat(announcements).hasSize(2).last().asString().contains("corrected (1)");
    assertThat(mapToOdomPublisher.moves().jumps()).isEqualTo(1);
  }

  /** Where the pose was before, only the process that was killed has known. */
  @Test
  void takesTheFirstPoseOfAResumedRunForNoJump() {
    mapToOdomPublisher.resume(Correction.NONE);
    corrected(new Pose(5, 0, 0), Correction.NONE, Pose.ORIGIN);
    assertThat(announcements).isEmpty();
    corrected(new Pose(6, 0, 0), Correction.NONE, Pose.ORIGIN);
    assertThat(announcements).singleElement().asString().contains("by 1.00 m");
  }

  /** As by a gateway that was killed. */
  @Test
  void doesNotRepeatWhatAnotherProcessHasSaid() {
    Correction third = new Correction(3, new Pose(0.5, 0, 0), 0.834);
    mapToOdomPublisher.resume(third);
    corrected(Pose.ORIGIN, third, Pose.ORIGIN);
    assertThat(announcements).isEmpty();
    corrected(Pose.ORIGIN, new Correction(4, Pose.ORIGIN, 0.5), Pose.ORIGIN);
    assertThat(announcements).singleElement().asString().contains("corrected (4)");
  }

  /**
   * Under simulated time tf2 would take no transform any more after one of this computer's time.
   */
  @Test
  void sendsNothingBeforeTheRobotsClockIsKnown() {
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps).isEmpty();
    clock.onStamp(12 * SECOND, NOW);
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps)
        .singleElement()
        .satisfies(stamp -> assertThat(stamp).isLessThan(13 * SECOND));
  }

  /** A timer that was held up makes good for what it has missed, all within a millisecond. */
  @Test
  void sendsNoStampTwice() {
    clock.onStamp(NOW, NOW);
    for (long at : new long[] {NOW, NOW, NOW, NOW + 50 * MILLISECOND, NOW + 50 * MILLISECOND}) {
      mapToOdomPublisher.publish(at);
    }
    assertThat(stamps).hasSize(2).doesNotHaveDuplicates().isSorted();
  }

  /** As of a simulator on a slow computer: what tells the time here is the newest stamp. */
  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.5, 1, 2})
  void staysBesideAClockThatGoesAtAnotherPace(double factor) {
    long messagePeriod = (long) (50 * MILLISECOND / factor);
    long nextMessage = 0;
    List<Double> aheadSeconds = new ArrayList<>();
    for (long passed = 0; passed < 60 * SECOND; passed += 10 * MILLISECOND) {
      long robotsNow = 1000 * SECOND + (long) (passed * factor);
      if (passed >= nextMessage) {
        clock.onStamp(robotsNow, NOW + passed);
        nextMessage += messagePeriod;
      }
      if (passed % (50 * MILLISECOND) == 0) {
        int before = stamps.size();
        mapToOdomPublisher.publish(NOW + passed);
        if (stamps.size() > before) {
          aheadSeconds.add((stamps.get(before) - robotsNow) / (double) SECOND);
        }
      }
    }
    assertThat(stamps).isSorted().doesNotHaveDuplicates();
    assertThat(aheadSeconds).hasSizeGreaterThan((int) (60 * Math.min(10, 20 * factor)));
    assertThat(aheadSeconds).allSatisfy(ahead -> assertThat(ahead).isBetween(-0.05, 0.7));
  }

  /** A simulator that is started again begins with its time anew; not one stamp is of the old. */
  @Test
  void followsAClockThatIsSetBack() {
    clock.onStamp(1000 * SECOND, NOW);
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps).hasSize(1);
    for (long later = SECOND; later <= 3 * SECOND; later += 50 * MILLISECOND) {
      clock.onStamp(later, NOW + later);
      mapToOdomPublisher.publish(NOW + later);
    }
    List<Long> anew = stamps.subList(1, stamps.size());
    assertThat(anew).hasSizeGreaterThan(10).isSorted();
    assertThat(anew).allSatisfy(stamp -> assertThat(stamp).isLessThan(4 * SECOND));
  }
}
