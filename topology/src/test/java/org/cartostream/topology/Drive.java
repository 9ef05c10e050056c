package org.cartostream.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * A drive through a room of 12 m by 8 m with two pillars, with noisy odometry and a laser of 91
 * beams over 180 degrees.
 */
public final class Drive {

  private static final int BEAMS = 91;
  private static final double MAX_RANGE = 20;
  private static final double[][] PILLARS = {{3, 2, 0.5}, {-2.5, -1, 0.7}};

  private record Key(long seed, int count) {}

  /** Many tests drive the same way; the same readings let {@link Answers#serial} know it again. */
  private static final Map<Key, List<Reading>> DRIVEN = new ConcurrentHashMap<>();

  private final Random random;

  private Drive(long seed) {
    this.random = new Random(seed);
  }

  /** {@code count} readings, a fifth of a second and some decimetres apart. */
  public static List<Reading> readings(long seed, int count) {
    return new ArrayList<>(DRIVEN.computeIfAbsent(new Key(seed, count), Drive::drive));
  }

  private static List<Reading> drive(Key key) {
    Drive drive = new Drive(key.seed());
    List<Reading> readings = new ArrayList<>();
    Pose truth = Pose.ORIGIN;
    Pose odometry = new Pose(1, 2, 0.5);
    for (int i = 0; i < key.count(); i++) {
      readings.add(new Reading(i * 200_000_000L, odometry, drive.scan(truth)));
      Pose step = step(i);
      truth = truth.then(step);
      odometry = odometry.then(drive.noisy(step));
    }
    return readings;
  }

  private static Pose step(int i) {
    return new Pose(i % 5 == 4 ? 0.01 : 0.25, 0, i % 24 > 16 ? 0.35 : 0.02);
  }

  /** Where the robot is at a reading, from 1 on, in the room's middle's frame. */
  static Pose truth(int reading) {
    Pose truth = Pose.ORIGIN;
    for (int i = 0; i < reading - 1; i++) {
      truth = truth.then(step(i));
    }
    return truth;
  }

  /** The room's map: its walls, and the pillars, which are full. */
  static ServerMap map() {
    double cell = 0.05;
    int width = 250;
    int height = 170;
    Pose origin = new Pose(-6.25, -4.25, 0);
    byte[] cells = new byte[width * height];
    for (int i = 0; i < cells.length; i++) {
      double x = origin.x() + (i % width + 0.5) * cell;
      double y = origin.y() + (i / width + 0.5) * cell;
      boolean isWall = Math.abs(x) > 6 || Math.abs(y) > 4;
      for (double[] pillar : PILLARS) {
        isWall |= Math.hypot(x - pillar[0], y - pillar[1]) < pillar[2];
      }
      cells[i] = (byte) (isWall ? 100 : 0);
    }
    return new ServerMap(
        new OccupancyGrid(width, height, cell, origin.x(), origin.y(), cells), origin, 65, 19);
  }

  /** A reading that no filter can use. */
  public static Reading blind(Reading reading) {
    float[] nothing = new float[BEAMS];
    java.util.Arrays.fill(nothing, Float.NaN);
    Scan scan = reading.scan();
    return new Reading(reading.stampNanos(), reading.odometry(), scan.withRanges(nothing));
  }

  private Pose noisy(Pose step) {
    return new Pose(
        step.x() * (1 + 0.1 * random.nextGaussian()),
        0.01 * random.nextGaussian(),
        step.theta() + 0.03 * random.nextGaussian());
  }

  private Scan scan(Pose truth) {
    double step = Math.PI / (BEAMS - 1);
    float[] ranges = new float[BEAMS];
    for (int i = 0; i < BEAMS; i++) {
      double range = range(truth, truth.theta() - Math.PI / 2 + i * step);
      ranges[i] = (float) (range + 0.01 * random.nextGaussian());
    }
    return new Scan(Pose.ORIGIN, -Math.PI / 2, step, 0.05, MAX_RANGE, ranges);
  }

  /** Metres from {@code from} to the first wall or pillar in {@code direction}. */
  private static double range(Pose from, double direction) {
    double dx = Math.cos(direction);
    double dy = Math.sin(direction);
    double toSide = ((dx > 0 ? 6 : -6) - from.x()) / dx;
    double toEnd = ((dy > 0 ? 4 : -4) - from.y()) / dy;
    double nearest = Math.min(toSide, toEnd);
    for (double[] pillar : PILLARS) {
      double px = pillar[0] - from.x();
      double py = pillar[1] - from.y();
      double along = px * dx + py * dy;
      double inside = pillar[2] * pillar[2] - (px * px + py * py - along * along);
      if (along > 0 && inside > 0) {
        nearest = Math.min(nearest, along - Math.sqrt(inside));
      }
    }
    return nearest;
  }
}
