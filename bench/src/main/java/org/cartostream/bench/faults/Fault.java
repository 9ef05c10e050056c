package org.cartostream.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.cartostream.sim.log.Recording;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Fault of the odometry or scans of real robots, done to a sound log: it gives the log that the
 * same drive would have left with the fault. One seed gives the same log on every machine.
 */
enum Fault {

  /** The heading by odometry drifts to the left by 1 degree per metre. */
  HEADING_DRIFT(Fault::headingDrift),

  /**
   * Over 10 random stretches of 5 m the wheels slip by 20 %: the robot drives four fifths of the
   * distance that the wheels turn, and odometry counts the whole.
   */
  WHEEL_SLIP(Fault::wheelSlip),

  /**
   * Odometry does not change for 10 readings, at a random place where the robot drives; then it
   * goes on from where it stopped, and the motion is lost.
   */
  FROZEN_ODOMETRY(Fault::frozenOdometryHypothesis),

  /** Odometry does not change for 10 readings; then its pose is right again, all at once. */
  LATE_ODOMETRY(Fault::lateOdometry),

  /** Four times, at random readings, odometry is at its origin, and goes on from there. */
  RESTARTED_ODOMETRY(Fault::restartedOdometry),

  /** 5 % of the readings, drawn at random, are missing. */
  MISSING_SCANS(Fault::missingScans),

  /** Odometry counts every step backwards as a step forwards. */
  REVERSE_AS_FORWARD(Fault::reverseAsForward),

  /** The laser is turned to the left by 5 degrees from its mount in the log. */
  LASER_TURNED(Fault::laserTurned);

  static final double DRIFT_RADIANS_PER_METRE = StrictMath.toRadians(1);
  static final double SLIP = 0.2;
  static final int SLIPPERY_STRETCHES = 10;
  static final double STRETCH_METRES = 5;
  static final int FROZEN_READINGS = 10;
  static final int RESTARTS = 4;
  static final double MISSING_SHARE = 0.05;
  static final double TURNED_RADIANS = StrictMath.toRadians(5);

  /** Thrown if a log has no room for a fault. The message says how much the log lacks. */
  static final class TooShortException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private TooShortException(String message) {
      super(message);
    }
  }

  /** Odometer that errs: it sees the motion from the reading before to reading {@code i}. */
  private interface Odometer {
    Pose seen(int i, Pose motion);
  }

  private final BiFunction<List<Reading>, Random, List<Reading>> doing;

  Fault(BiFunction<List<Reading>, Random, List<Reading>> doing) {
    this.doing = doing;
  }

  /**
   * Returns a log with this fault.
   *
   * @param seed seed of the random places at which the fault strikes
   * @throws TooShortException if the log is too short for the fault
   */
  List<Reading> applyTo(List<Reading> log, long seed) {
    return doing.apply(log, new Random(seed));
  }

  /** Returns a recording with this fault. The true path is the same, where there are readings. */
  Recording applyTo(Recording log, long seed) {
    return log.with(applyTo(log.readings(), seed));
  }

  private static List<Reading> headingDrift(List<Reading> log, Random unused) {
    return recorded(
        log,
        (i, motion) -> {
          double metres = Pose.ORIGIN.distance(motion);
          return motion.then(new Pose(0, 0, DRIFT_RADIANS_PER_METRE * metres));
        });
  }

  private static List<Reading> wheelSlip(List<Reading> log, Random random) {
    double[] driven = metresDriven(log);
    double[] starts = stretches(driven[driven.length - 1], random);
    return recorded(
        log,
        (i, motion) -> {
          double slippery = 0;
          for (double start : starts) {
            double from = Math.max(driven[i - 1], start);
            double to = Math.min(driven[i], start + STRETCH_METRES);
            slippery += Math.max(0, to - from);
          }
          double sound = driven[i] - driven[i - 1] - slippery;
          double factor = slippery == 0 ? 1 : (sound + slippery / (1 - SLIP)) / (sound + slippery);
          return new Pose(factor * motion.x(), factor * motion.y(), motion.theta());
        });
  }

  /**
   * Returns start points of stretches that do not overlap, metres along a path of the given length.
   */
  private static double[] stretches(double metres, Random random) {
    double free = metres - SLIPPERY_STRETCHES * STRETCH_METRES;
    if (free < 0) {
      throw new TooShortException(
          "a drive of "
              + metres
              + " m has no room for "
              + SLIPPERY_STRETCHES
              + " stretches of "
              + STRETCH_METRES
              + " m");
    }
    double[] gaps = random.doubles(SLIPPERY_STRETCHES).map(part -> part * free).sorted().toArray();
    return IntStream.range(0, gaps.length).mapToDouble(i -> gaps[i] + i * STRETCH_METRES).toArray();
  }

  private static List<Reading> frozenOdometryHypothesis(List<Reading> log, Random random) {
    int first = halt(log, random);
    return recorded(log, (i, motion) -> isFrozen(i, first) ? Pose.ORIGIN : motion);
  }

  private static List<Reading> lateOdometry(List<Reading> log, Random random) {
    int first = halt(log, random);
    List<Reading> late = new ArrayList<>(log);
    for (int i = first; isFrozen(i, first); i++) {
      late.set(i, withOdometry(log.get(i), log.get(first - 1).odometry()));
    }
    return late;
  }

  private static List<Reading> restartedOdometry(List<Reading> log, Random random) {
    if (log.size() < 2) {
      throw new TooShortException(
          "a log of " + log.size() + " readings has none before which odometry can start anew");
    }
    List<Reading> restarted = new ArrayList<>(log);
    int[] firsts = random.ints(RESTARTS, 1, log.size()).sorted().toArray();
    for (int first : firsts) {
      Pose origin = restarted.get(first).odometry().inverse();
      for (int i = first; i < log.size(); i++) {
        Reading reading = restarted.get(i);
        restarted.set(i, withOdometry(reading, origin.then(reading.odometry())));
      }
    }
    return restarted;
  }

  private static boolean isFrozen(int i, int first) {
    return i >= first && i < first + FROZEN_READINGS;
  }

  /**
   * Returns a random first reading to freeze, where the robot drives: one that stands still anyway
   * would prove nothing.
   */
  private static int halt(List<Reading> log, Random random) {
    double[] driven = metresDriven(log);
    double mean = driven[driven.length - 1] / (driven.length - 1) * FROZEN_READINGS;
    int[] candidates =
        IntStream.range(1, log.size() - FROZEN_READINGS)
            .filter(i -> driven[i - 1 + FROZEN_READINGS] - driven[i - 1] >= mean)
            .toArray();
    if (candidates.length == 0) {
      throw new TooShortException(
          "a log of "
              + log.size()
              + " readings has no room for "
              + FROZEN_READINGS
              + " frozen ones");
    }
    return candidates[random.nextInt(candidates.length)];
  }

  private static List<Reading> missingScans(List<Reading> log, Random random) {
    List<Reading> left = new ArrayList<>(log);
    long missing = Math.round(MISSING_SHARE * log.size());
    for (int i = 0; i < missing; i++) {
      left.remove(random.nextInt(left.size()));
    }
    return left;
  }

  private static List<Reading> reverseAsForward(List<Reading> log, Random unused) {
    return recorded(
        log,
        (i, motion) -> motion.x() < 0 ? new Pose(-motion.x(), motion.y(), motion.theta()) : motion);
  }

  private static List<Reading> laserTurned(List<Reading> log, Random unused) {
    Pose back = new Pose(0, 0, -TURNED_RADIANS);
    return log.stream()
        .map(
            reading -> {
              Scan scan = reading.scan();
              Scan turned = scan.mountedAt(scan.mount().then(back));
              return new Reading(reading.stampNanos(), reading.odometry(), turned);
            })
        .toList();
  }

  /** Returns a log as an odometer would have recorded it. */
  private static List<Reading> recorded(List<Reading> log, Odometer odometer) {
    List<Reading> recorded = new ArrayList<>();
    Pose odometry = log.get(0).odometry();
    for (int i = 0; i < log.size(); i++) {
      if (i > 0) {
        Pose motion = log.get(i - 1).odometry().to(log.get(i).odometry());
        odometry = odometry.then(odometer.seen(i, motion));
      }
      recorded.add(withOdometry(log.get(i), odometry));
    }
    return recorded;
  }

  private static Reading withOdometry(Reading reading, Pose odometry) {
    return new Reading(reading.stampNanos(), odometry, reading.scan());
  }

  /** Returns for each reading the metres by odometry since the first. */
  static double[] metresDriven(List<Reading> log) {
    double[] driven = new double[log.size()];
    for (int i = 1; i < driven.length; i++) {
      driven[i] = driven[i - 1] + log.get(i - 1).odometry().distance(log.get(i).odometry());
    }
    return driven;
  }
}
