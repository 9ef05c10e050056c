package org.cartostream.sim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.StampedPose;
import org.cartostream.slam.log.TumFile;
import org.cartostream.slam.sensor.Scan;

/**
 * Drives a {@link SimulatedRobot} through {@link World#office} and writes down what it saw as a
 * CARMEN log, and where it really was. One seed gives the same bytes on every machine.
 */
public final class SimulatedLog {

  public static final String LOG = "office.clf";
  public static final String REFERENCE = "office.reference.tum";

  /** The seed of the files in {@code datasets/}. */
  public static final long SEED = 20261121;

  private static final long FIRST_STAMP_NANOS = 1_000_000_000_000L;
  private static final long PERIOD_NANOS = 500_000_000L;
  private static final double STEP_METRES = 0.25;
  private static final double STEP_RADIANS = StrictMath.toRadians(30);

  /** Around the block, into both rooms, and around again: x and y in metres. */
  private static final double[][] TOUR = {
    {1, 1},
    {3.8, 1},
    {3.8, 4},
    {5, 4.5},
    {3.8, 4},
    {3.8, 1},
    {8.3, 0.9},
    {11, 1},
    {11, 8},
    {8.2, 8},
    {8.2, 5.5},
    {7, 4.5},
    {8.2, 5.5},
    {8.2, 8},
    {4, 7.9},
    {1, 8},
    {1, 1},
    {11, 1},
    {11, 5}
  };

  private final SimulatedRobot robot;
  private final StringBuilder log = new StringBuilder();
  private final List<StampedPose> reference = new ArrayList<>();

  private SimulatedLog(long seed) {
    robot = new SimulatedRobot(World.office(), new Pose(TOUR[0][0], TOUR[0][1], 0), seed);
  }

  /** Writes {@link #LOG} and {@link #REFERENCE} into a folder, which must exist. */
  public static void write(Path folder, long seed) throws IOException {
    SimulatedLog simulated = new SimulatedLog(seed);
    simulated.record();
    for (int i = 1; i < TOUR.length; i++) {
      simulated.driveTo(TOUR[i][0], TOUR[i][1]);
    }
    Files.writeString(folder.resolve(LOG), simulated.log, StandardCharsets.US_ASCII);
    TumFile.write(folder.resolve(REFERENCE), simulated.reference);
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: SimulatedLog FOLDER    writes " + LOG + " and " + REFERENCE);
      System.exit(2);
    }
    write(Path.of(arguments[0]), SEED);
  }

  /** First turns towards the goal, then drives there, recording at every step. */
  private void driveTo(double x, double y) {
    Pose from = robot.truth();
    double heading = StrictMath.atan2(y - from.y(), x - from.x());
    double turn = Pose.wrap(heading - from.theta());
    int turns = (int) StrictMath.ceil(StrictMath.abs(turn) / STEP_RADIANS - 1e-9);
    for (int i = 0; i < turns; i++) {
      robot.move(turn / turns, 0);
      record();
    }
    double distance = StrictMath.hypot(x - from.x(), y - from.y());
    int steps = (int) StrictMath.ceil(distance / STEP_METRES - 1e-9);
    for (int i = 0; i < steps; i++) {
      robot.move(0, distance / steps);
      record();
    }
  }

  private void record() {
    long stamp = FIRST_STAMP_NANOS + reference.size() * PERIOD_NANOS;
    reference.add(new StampedPose(stamp, robot.truth()));
    log.append(line(stamp, robot.odometry(), robot.scan())).append('\n');
  }

  private static String line(long stampNanos, Pose odometry, Scan scan) {
    StringBuilder line = new StringBuilder("ROBOTLASER1 0");
    append(line, 6, scan.startAngle(), scan.angleStep() * (scan.beams() - 1));
    append(line, 9, scan.angleStep());
    append(line, 2, scan.maxRange(), 0.01);
    line.append(" 0 ").append(scan.beams());
    for (float range : scan.ranges()) {
      append(line, 2, range);
    }
    Pose laser = odometry.then(scan.mount());
    line.append(" 0");
    append(line, 6, laser.x(), laser.y(), laser.theta());
    append(line, 6, odometry.x(), odometry.y(), odometry.theta());
    String stamp = String.format(Locale.ROOT, "%.3f", stampNanos / 1e9);
    return line + " 0 0 0 0 0 " + stamp + " office " + stamp;
  }

  private static void append(StringBuilder line, int decimals, double... values) {
    for (double value : values) {
      line.append(String.format(Locale.ROOT, " %." + decimals + "f", value));
    }
  }
}
