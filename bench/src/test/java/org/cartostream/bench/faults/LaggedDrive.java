package org.cartostream.bench.faults;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.robot.SimulatedRobot;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * A drive in real time, with speeds that a robot's motors can follow: it turns on the spot and
 * drives straight on. Its odometry is known at every moment, so that scans can be paired with that
 * of another moment than theirs.
 */
final class LaggedDrive {

  private static final double MOMENT_SECONDS = 0.02;
  private static final int MOMENTS_A_SCAN = 10;
  private static final double METRES_A_SECOND = 0.5;
  private static final double RADIANS_A_SECOND = 1;

  /** From standing to full speed. */
  private static final double RAMP_SECONDS = 0.4;

  private final SimulatedRobot robot;
  private final List<Pose> odometry = new ArrayList<>();
  private final List<Scan> scans = new ArrayList<>();

  private LaggedDrive(SimulatedRobot robot) {
    this.robot = robot;
  }

  static LaggedDrive of(Route route, long seed) {
    LaggedDrive drive =
        new LaggedDrive(new SimulatedRobot(World.office(), Lidar.usual(), route.start(), seed));
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
    parts(Math.abs(turn), RADIANS_A_SECOND).forEach(part -> move(part * turn, 0));
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
    if (odometry.size() % MOMENTS_A_SCAN == 0) {
      scans.add(robot.scan());
    }
    odometry.add(robot.odometry());
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
