package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The link between robot and service fails for 30 s of a drive; time runs ten times as fast as on
 * the wall. The robot drives once; the tests look at what came of it.
 */
@Nightly
class BadLinkIT {

  private static final int READINGS = 240;
  private static final long ROBOT_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long WALL_PERIOD_NANOS = ROBOT_PERIOD_NANOS / 10;

  private static final int CUT_AT = 90;
  private static final int MENDED_AT = CUT_AT + 60;

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).first(READINGS);

  private static RosTestBed road;
  private static RosTestBed.Pace pace;
  private static long cutNanos;
  private static int correctionsAtCut;
  private static double secondsCut;
  private static int correctionsAtMending;
  private static int posesAtMending;
  private static String summary;

  @BeforeAll
  static void drive() throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    // The service has a tenth of the time, and on a busy machine is slower than this robot.
    Map<String, String> patient = Map.of("waitingKeyFrames", Integer.toString(READINGS));
    road =
        RosTestBed.open(LocalRosMaster.started(), Settings.build(GatewaySettings.class, patient));
    long start = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    pace = new RosTestBed.Pace(start, ROBOT_PERIOD_NANOS, WALL_PERIOD_NANOS);
    road.drive(OFFICE.first(1), 0, pace, reading -> {});
    await().atMost(RosTestBed.SOON).until(() -> !road.poses.isEmpty());
    road.drive(OFFICE, 1, pace, BadLinkIT::cutAndMend);
    await().atMost(RosTestBed.SOON).until(() -> road.poses.size() == READINGS);
    road.awaitMapOf(pace.stamp(READINGS - 1));
    summary = road.end();
  }

  private static void cutAndMend(int reading) {
    if (reading == CUT_AT) {
      // On a busy machine the service lags behind, and nothing may come that was on its way.
      await().atMost(RosTestBed.SOON).until(() -> road.poses.size() == CUT_AT);
      road.wire().takeDown();
      correctionsAtCut = road.corrections.size();
      cutNanos = System.nanoTime();
    } else if (reading == MENDED_AT) {
      correctionsAtMending = road.corrections.size();
      secondsCut = (System.nanoTime() - cutNanos) / 1e9;
      posesAtMending = road.poses.size();
      road.wire().mend();
    }
  }

  @AfterAll
  static void close() throws Exception {
    if (road != null) {
      road.close();
    }
  }

  private static List<Long> keyFrames() {
    ReadingFilterSettings settings = Settings.defaults(ReadingFilterSettings.class);
    List<Long> stamps = new ArrayList<>();
    Pose last = null;
    for (int i = 0; i < READINGS; i++) {
      Pose odometry = OFFICE.readings().get(i).odometry();
      if (last == null || settings.isKeyFrame(last.to(odometry))) {
        stamps.add(pace.stamp(i));
        last = odometry;
      }
    }
    return stamps;
  }

  @Test
  void noKeyFrameIsLost() {
    assertThat(posesAtMending).isLessThanOrEqualTo(CUT_AT + 2);
    assertThat(road.estimate()).extracting(StampedPose::stampNanos).containsAll(keyFrames());
    assertThat(summary).contains("0 refused").contains("0 lost").doesNotContain("BACKLOG");
  }

  @Test
  void whatWaitedIsSentInOrder() {
    assertThat(road.poses).extracting(pose -> pose.header().stamp()).isSorted();
  }

  /** While the link is down nothing corrects odometry any further, but tf stays complete. */
  @Test
  void thePoseGoesOnByOdometry() {
    List<TransformStamped> meanwhile =
        road.corrections.subList(correctionsAtCut + 5, correctionsAtMending);
    // 20 as a rule; a machine that stands still loses some, and sends others afterwards at once.
    assertThat(meanwhile.size() / secondsCut).isBetween(2.0, 40.0);
    assertThat(meanwhile).extracting(each -> each.header().stamp()).isSorted();
    assertThat(meanwhile)
        .extracting(TransformStamped::transform)
        .containsOnly(meanwhile.get(0).transform());
    Pose odometry = OFFICE.readings().get(MENDED_AT - 1).odometry();
    Pose here =
        RosTestBed.planar(
                meanwhile.get(0).transform().translation(), meanwhile.get(0).transform().rotation())
            .then(odometry);
    Pose truth = OFFICE.reference().get(0).pose().to(OFFICE.reference().get(MENDED_AT - 1).pose());
    assertThat(here.distance(truth)).isLessThan(odometry.distance(truth));
  }

  @Test
  void theMapIsAsGoodAsWithoutTheOutage() throws Exception {
    road.assertMapShowsTheOffice(OFFICE.reference().get(0).pose());
    double error = TrajectoryError.of(road.estimate(), reference()).rmseMetres();
    double undisturbed = TrajectoryError.of(undisturbed(), reference()).rmseMetres();
    assertThat(error).isLessThan(0.05).isLessThan(undisturbed + 0.01);
  }

  private static List<StampedPose> reference() {
    List<StampedPose> reference = new ArrayList<>();
    for (int i = 0; i < READINGS; i++) {
      reference.add(new StampedPose(pace.stamp(i), OFFICE.reference().get(i).pose()));
    }
    return reference;
  }

  /** The same drive, through the filter alone. */
  private static List<StampedPose> undisturbed() {
    SerialFilter filter = new SerialFilter(RosTestBed.filter(), "tb3");
    List<StampedPose> poses = new ArrayList<>();
    for (int i = 0; i < READINGS; i++) {
      filter.process(i + 1, OFFICE.readings().get(i));
      poses.add(new StampedPose(pace.stamp(i), filter.trajectoryTree().currentPose()));
    }
    return poses;
  }
}
