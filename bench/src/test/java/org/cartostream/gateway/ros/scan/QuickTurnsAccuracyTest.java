package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.cartostream.bench.faults.LaggedDrive;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.JumpDetector;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A robot that turns quickly is told its pose about as well as one that turns slowly, and its path
 * ends about as well, with beams that are measured at once or, undistorted, one after another.
 */
@Default(computes = true)
class QuickTurnsAccuracyTest {

  private static final double SLOW = 0.25;
  private static final double[] QUICK = {0.5, 1, 1.5};

  /** A tenth of a cell: below that an ATE is chance. */
  private static final double FLOOR_METRES = 0.005;

  /** What became of a drive: ATE on the way and at the end, metres, and jumps. */
  private record Told(double live, double end, int jumps, int readings) {}

  @Test
  void aTurnOfOneAndAHalfRadiansASecondIsMappedAsASlowOne() throws Exception {
    Route office = Route.office();
    Route first = new Route(office.start(), office.stops().subList(0, 5));
    assertAsGood(told(first, 180, true, 1.5, 1), told(first, 180, true, SLOW, 1));
  }

  @Nightly(computes = true)
  @ParameterizedTest(name = "{0} beams, swept: {1}")
  @CsvSource({"180,false", "180,true", "361,false", "361,true", "1081,false", "1081,true"})
  void quickTurnsAreMappedAsSlowOnes(int beams, boolean isSwept) throws Exception {
    Told slow = mean(beams, isSwept, SLOW);
    for (double quick : QUICK) {
      assertAsGood(mean(beams, isSwept, quick), slow);
    }
  }

  private static void assertAsGood(Told quick, Told slow) {
    assertThat(quick.live).isLessThan(1.3 * slow.live + FLOOR_METRES);
    assertThat(quick.end).isLessThan(1.3 * slow.end + FLOOR_METRES);
    assertThat(quick.jumps).isLessThanOrEqualTo(2 * slow.jumps + quick.readings / 100);
  }

  private static Told mean(int beams, boolean isSwept, double radiansASecond) throws Exception {
    int seeds = 3;
    double live = 0;
    double end = 0;
    int jumps = 0;
    int readings = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      Told told = told(Route.office(), beams, isSwept, radiansASecond, seed);
      live += told.live / seeds;
      end += told.end / seeds;
      jumps += told.jumps;
      readings += told.readings;
    }
    return new Told(live, end, jumps, readings);
  }

  /**
   * Where scans are stamped too late, what jumps beyond odometry is odometry: along the true path
   * as often. Of five readings a second one is used, as of a slow log.
   */
  @Nightly(computes = true)
  @ParameterizedTest(name = "{0} s late")
  @CsvSource({"0", "0.1", "0.2"})
  void whatJumpsIsOdometryWhereStampsAreLate(double lagSeconds) throws Exception {
    LaggedDrive drive = LaggedDrive.of(Route.office(), 1, lidar(180), 1.5, false);
    Recording all = drive.recording(lagSeconds);
    List<Reading> slow = new ArrayList<>();
    for (int i = 0; i < all.readings().size(); i += 5) {
      slow.add(all.readings().get(i));
    }
    Recording recording = all.with(slow);
    JumpDetector ofTruth = new JumpDetector();
    int byOdometry = 0;
    for (int i = 0; i < slow.size(); i++) {
      double jump = ofTruth.next(recording.reference().get(i).pose(), slow.get(i).odometry(), 0);
      byOdometry += jump > JumpDetector.ANNOUNCED_METRES ? 1 : 0;
    }
    Told told = told(recording, reading -> reading, 1);
    System.out.printf(
        "%.1f s late: %d jumps along the true path, %s%n", lagSeconds, byOdometry, told);
    assertThat(told.jumps).isLessThanOrEqualTo(byOdometry + 1 + slow.size() / 100);
  }

  private static Lidar lidar(int beams) {
    Lidar usual = Lidar.usual();
    double step = usual.angleStep() * (usual.beams() - 1) / (beams - 1);
    return new Lidar(
        usual.mount(), beams, usual.startAngle(), step, 0.05, 8, usual.rangeStd(), 0.2);
  }

  private static Told told(
      Route route, int beams, boolean isSwept, double radiansASecond, long seed) throws Exception {
    LaggedDrive drive = LaggedDrive.of(route, seed, lidar(beams), radiansASecond, isSwept);
    Told told = told(drive.recording(0), reading -> undistorted(drive, reading), seed);
    System.out.printf(
        Locale.ROOT, "%.2f rad/s, %d beams, swept %s, %s%n", radiansASecond, beams, isSwept, told);
    return told;
  }

  private static Reading undistorted(LaggedDrive drive, Reading swept) {
    Scan scan =
        SweptScan.undistorted(
                swept.scan(), beam -> swept.odometry().to(drive.odometry(swept, beam)))
            .orElseThrow();
    return new Reading(swept.stampNanos(), swept.odometry(), scan);
  }

  private static Told told(Recording recording, UnaryOperator<Reading> used, long seed)
      throws Exception {
    Map<String, String> settings = Map.of("particles", "10", "seed", "" + seed);
    SerialFilter filter =
        new SerialFilter(Settings.build(FilterSettings.class, settings), "office");
    JumpDetector jumpDetector = new JumpDetector();
    List<StampedPose> live = new ArrayList<>();
    int jumps = 0;
    for (Reading reading : recording.readings()) {
      filter.process(live.size() + 1, used.apply(reading));
      RobotPose pose = filter.trajectoryTree().robotPose();
      live.add(new StampedPose(reading.stampNanos(), pose.inMap()));
      double jump = jumpDetector.next(pose.inMap(), reading.odometry(), pose.correction().number());
      jumps += jump > JumpDetector.ANNOUNCED_METRES ? 1 : 0;
    }
    List<StampedPose> end =
        filter.trajectoryTree().bestPath().withLoopsClosed().path().stream()
            .map(each -> new StampedPose(each.stampNanos(), each.pose()))
            .toList();
    return new Told(
        TrajectoryError.of(live, recording.reference()).rmseMetres(),
        TrajectoryError.of(end, recording.reference()).rmseMetres(),
        jumps,
        live.size());
  }
}
