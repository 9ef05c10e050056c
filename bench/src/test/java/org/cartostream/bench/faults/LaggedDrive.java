package org.cartostream.bench.faults;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.robot.SimulatedRobot;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * A drive in real time through the office, with speeds that a robot's motors can follow: it turns
 * on the spot and drives straight on. Its odometry is known at every moment, so that scans can be
 * paired with that of another moment than theirs.
 */
public final class LaggedDrive {

  static final double MOMENT_SECONDS = 0.02;
  static final int MOMENTS_A_SCAN = 10;
  private static final double METRES_A_SECOND = 0.5;

  /** Duration of a sweep: five turns a second, three quarters of each in view. */
  private static final int SWEEP_MOMENTS = 7;

  /** From standing to full speed. */
  private static final double RAMP_SECONDS = 0.4;

  private final SimulatedRobot robot;
  private final int beams;
  private final double radiansASecond;
  private final int sweepMoments;
  private final List<Pose> truth = new ArrayList<>();
  private final List<Pose> odometry = new ArrayList<>();
  private final List<Scan> scans = new ArrayList<>();

  private LaggedDrive(SimulatedRobot robot, int beams, double radiansASecond, boolean isSwept) {
    this.robot = robot;
    this.beams = beams;
    this.radiansASecond = radiansASecond;
    this.sweepMoments = isSwept ? SWEEP_MOMENTS : 0;
  }

  static LaggedDrive of(Route route, long seed) {
    return of(route, seed, Lidar.usual(), 1, false);
  }

  /**
   * A drive with any laser, and turns of any speed.
   *
   * @param isSwept true if the beams are measured one after another
   */
  public static LaggedDrive of(
      Route route, long seed, Lidar lidar, double radiansASecond, boolean isSwept) {
    SimulatedRobot robot = new SimulatedRobot(World.office(), lidar, route.start(), seed);
    LaggedDrive drive = new LaggedDrive(robot, lidar.beams(), radiansASecond, isSwept);
    drive.record();
    route.stops().forEach(drive::driveTo);
    return drive;
  }

  private void driveTo(Route.Stop stop) {
    Pose from = robot.truth();
    double sign = stop.backwards() ? -1 : 1;
    double dx = sign * (stop.x() - from.x());
    double dy = sign * (stop.y() - from.y());
    double turn = Pose.wrap(StrictMath.atan2(dy, dx) - from.theta());
    parts(Math.abs(turn), radiansASecond).forEach(part -> move(part * turn, 0));
    double metres = sign * StrictMath.hypot(dx, dy);
    parts(Math.abs(metres), METRES_A_SECOND).forEach(part -> move(0, part * metres));
  }

  /** What part of a way is made in each moment, if its speed grows and shrinks evenly. */
  private static List<Double> parts(double way, double max) {
    List<Double> speeds = new ArrayList<>();
    double gain = max * MOMENT_SECONDS / RAMP_SECONDS;
    double done = 0;
    double speed = 0;
    while (done < way) {
      double braking = speed * speed / 2 / (gain / MOMENT_SECONDS);
      speed = way - done <= braking ? Math.max(gain, speed - gain) : Math.min(max, speed + gain);
      speeds.add(speed);
      done += speed * MOMENT_SECONDS;
    }
    double all = done;
    return speeds.stream().map(each -> each * MOMENT_SECONDS / all).toList();
  }

  private void move(double radians, double metres) {
    robot.move(radians, metres);
    record();
  }

  private void record() {
    int moment = truth.size();
    truth.add(robot.truth());
    odometry.add(robot.odometry());
    if (moment % MOMENTS_A_SCAN == 0) {
      double first = Math.max(0, moment - sweepMoments);
      scans.add(robot.scan(beam -> at(truth, first + (moment - first) * beam / (beams - 1))));
    }
  }

  private static Pose at(List<Pose> poses, double moment) {
    int before = (int) moment;
    Pose next = poses.get(Math.min(before + 1, poses.size() - 1));
    return poses.get(before).towards(next, moment - before);
  }

  /** Odometry at the moment of a beam. */
  public Pose odometry(Reading swept, int beam) {
    double first = swept.stampNanos() / 1e9 / MOMENT_SECONDS;
    return at(odometry, first + sweepMoments * (double) beam / (beams - 1));
  }

  /**
   * The readings, each stamped when its first beam was measured, or later, and the true path as the
   * laser saw it.
   */
  public Recording recording(double lagSeconds) {
    List<Reading> readings = readings(lagSeconds - sweepMoments * MOMENT_SECONDS);
    return new Recording(
        readings,
        readings.stream()
            .map(each -> new StampedPose(each.stampNanos(), seen(each, lagSeconds)))
            .toList());
  }

  private Pose seen(Reading reading, double lagSeconds) {
    return at(truth, (reading.stampNanos() / 1e9 - lagSeconds) / MOMENT_SECONDS);
  }

  /** The readings if scans are stamped later than they were taken; by less than 0, earlier. */
  List<Reading> readings(double lagSeconds) {
    int lag = (int) Math.round(lagSeconds / MOMENT_SECONDS);
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < scans.size(); i++) {
      int moment = i * MOMENTS_A_SCAN + lag;
      if (moment >= 0 && moment < odometry.size()) {
        long stamp = Math.round(moment * MOMENT_SECONDS * 1e9);
        readings.add(new Reading(stamp, odometry.get(moment), scans.get(i)));
      }
    }
    return readings;
  }
}
