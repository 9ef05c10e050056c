package org.cartostream.sim.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.sim.robot.SimulatedRobot;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * Recorder of a simulated drive: moves a {@link SimulatedRobot} along a {@link Route}, and records
 * readings and true poses. One seed gives the same bytes on every machine.
 */
public final class SimulatedLog {

  /** Name of the log in {@code datasets/}: {@code office.clf} and {@code office.reference.tum}. */
  public static final String NAME = "office";

  /** Seed of the scans' noise. */
  public static final long SEED = 20261121;

  private static final long FIRST_STAMP_NANOS = 1_000_000_000_000L;
  private static final long PERIOD_NANOS = 500_000_000L;

  private final SimulatedRobot robot;
  private final Steps steps;
  private final List<Reading> readings = new ArrayList<>();
  private final List<StampedPose> reference = new ArrayList<>();

  /** Maximum motion of a robot from one reading to the next: distance, and angle of a turn. */
  public record Steps(double metres, double radians) {

    /**
     * Steps of a robot with a slow laser, or of a log of which only every second reading was kept.
     */
    public static final Steps USUAL = new Steps(0.25, StrictMath.toRadians(30));

    /**
     * Steps of a robot with half a metre a second and five readings a second; the stamps stay as
     * for {@link #USUAL}.
     */
    public static final Steps SHORT = new Steps(0.1, StrictMath.toRadians(9));
  }

  private SimulatedLog(SimulatedRobot robot, Steps steps) {
    this.robot = robot;
    this.steps = steps;
  }

  /** Records a drive of a robot with the usual laser and the usual steps. */
  public static Recording of(World world, Route route, long seed) {
    return of(world, route, seed, Lidar.usual(), Steps.USUAL);
  }

  /** Records a drive of a robot with any laser. */
  public static Recording of(World world, Route route, long seed, Lidar lidar, Steps steps) {
    SimulatedLog log =
        new SimulatedLog(new SimulatedRobot(world, lidar, route.start(), seed), steps);
    log.record();
    route.stops().forEach(log::driveTo);
    return new Recording(log.readings, log.reference);
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: SimulatedLog FOLDER    writes the files of datasets/");
      System.exit(2);
    }
    of(World.office(), Route.office(), SEED).write(Path.of(arguments[0]), NAME);
  }

  /**
   * Turns towards the stop, or away from it to drive backwards, then drives there; records at every
   * step.
   */
  private void driveTo(Route.Stop stop) {
    Pose from = robot.truth();
    double dx = stop.x() - from.x();
    double dy = stop.y() - from.y();
    double heading = stop.backwards() ? StrictMath.atan2(-dy, -dx) : StrictMath.atan2(dy, dx);
    double turn = Pose.wrap(heading - from.theta());
    int turns = (int) StrictMath.ceil(StrictMath.abs(turn) / steps.radians - 1e-9);
    for (int i = 0; i < turns; i++) {
      robot.move(turn / turns, 0);
      record();
    }
    double distance = StrictMath.hypot(dx, dy);
    int drives = (int) StrictMath.ceil(distance / steps.metres - 1e-9);
    for (int i = 0; i < drives; i++) {
      robot.move(0, (stop.backwards() ? -distance : distance) / drives);
      record();
    }
  }

  private void record() {
    long stamp = FIRST_STAMP_NANOS + reference.size() * PERIOD_NANOS;
    reference.add(new StampedPose(stamp, robot.truth()));
    readings.add(new Reading(stamp, robot.odometry(), robot.scan()));
  }
}
