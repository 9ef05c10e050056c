package org.cartostream.slam.calibration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.MotionSettings;

/**
 * Estimator of the lag of a laser's stamps behind odometry's, as from a driver that stamps a scan
 * after its transfer over a slow bus, or a laser with its own clock. A robot that turns is then
 * paired with odometry from where it has turned on to; at one radian a second and a lag of 0.1 s,
 * 0.1 rad are wrong wherever a turn begins or ends.
 *
 * <p>Each lag of a grid is a hypothesis. What the laser saw the robot turn from one time to another
 * is compared with what odometry turned between the same times less the lag, by odometry's error,
 * as a Gaussian whose outliers all count the same. A lag is believed if it is likelier, by the
 * given odds, than no lag and than the opposite lag: between two readings odometry is interpolated,
 * which smooths its noise, so that noisy odometry fits better with any lag, late or early. The
 * estimator corrects no stamp.
 *
 * <p>Owns odometry's headings of the last seconds, the turns that wait for odometry later than they
 * are, and the sums for each lag.
 */
public final class LaserLagEstimator {

  /**
   * The longest lag looked for, and the longest pause between readings that is bridged, seconds.
   */
  private static final double MAX_SECONDS = 1;

  /**
   * Step between two candidate lags, seconds: half of it is 0.01 rad at one radian a second,
   * odometry's least error.
   */
  private static final double STEP_SECONDS = 0.02;

  /** Number of candidate lags above 0, and as many below 0. */
  private static final int LAGS = 50;

  /**
   * Least lag that is reported, steps: 0.08 s. A shorter lag is an error at one radian a second
   * that a scan match bridges.
   */
  private static final int MIN_STEPS = 4;

  /** Least duration of a turn that is compared, seconds: errors of shorter turns are correlated. */
  private static final double TURN_SECONDS = 0.2;

  /** Cap of the log likelihood that one turn adds for or against a lag. */
  private static final double MAX_NATS = 1;

  private static final double NANOS_A_SECOND = 1e9;

  /** Heading by odometry, not wrapped. */
  private record Heading(double seconds, double radians) {}

  /**
   * Turn of the robot as the laser saw it.
   *
   * @param deviation odometry's standard error
   */
  private record Turn(double from, double to, double byLaser, double deviation) {}

  /** A reading that a turn is measured from, and the heading by the laser then. */
  private record Start(double seconds, Pose odometry, double byLaser) {}

  private final double odds;
  private final MotionSettings motion;
  private final List<Heading> headings = new ArrayList<>();
  private final Deque<Turn> open = new ArrayDeque<>();

  /** Beginning of the next turn; null before the first reading. */
  private Start from;

  /**
   * Log likelihood ratio of each lag against the better of no lag and the opposite lag, nats,
   * summed over the turns.
   */
  private final double[] nats = new double[2 * LAGS + 1];

  /**
   * @param odds how much likelier than no lag a lag must be, nats
   * @param motion settings of odometry's error
   */
  public LaserLagEstimator(double odds, MotionSettings motion) {
    this.odds = odds;
    this.motion = motion;
  }

  /**
   * Takes in the next reading.
   *
   * @param byLaser the robot's heading as the laser has it, radians
   */
  public void read(Reading reading, double byLaser) {
    double seconds = reading.stampNanos() / NANOS_A_SECOND;
    double since = headings.isEmpty() ? -1 : seconds - headings.get(headings.size() - 1).seconds;
    if (since < 0 || since > MAX_SECONDS) { // The first reading, a clock set back, or a gap.
      headings.clear();
      open.clear();
      headings.add(new Heading(seconds, reading.odometry().theta()));
      from = new Start(seconds, reading.odometry(), byLaser);
    } else if (since > 0) {
      double last = headings.get(headings.size() - 1).radians;
      headings.add(new Heading(seconds, last + Pose.wrap(reading.odometry().theta() - last)));
    }
    if (seconds - from.seconds >= TURN_SECONDS) {
      Start to = new Start(seconds, reading.odometry(), byLaser);
      endTurn(to);
      from = to;
    }
    while (!open.isEmpty() && seconds >= open.peek().to + MAX_SECONDS) {
      compare(open.remove());
    }
    double needed = (open.isEmpty() ? from.seconds : open.peek().from) - MAX_SECONDS;
    while (headings.size() > 1 && headings.get(1).seconds <= needed) {
      headings.remove(0);
    }
  }

  private void endTurn(Start to) {
    if (from.seconds - MAX_SECONDS >= headings.get(0).seconds) {
      double byOdometry = from.odometry.to(to.odometry).theta();
      double deviation = MotionModel.of(motion, new Pose(0, 0, byOdometry)).heading();
      open.add(new Turn(from.seconds, to.seconds, Pose.wrap(to.byLaser - from.byLaser), deviation));
    }
  }

  private void compare(Turn turn) {
    double ifNone = surprise(turn, 0);
    for (int lag = 1; lag <= LAGS; lag++) {
      double ifLate = surprise(turn, lag * STEP_SECONDS);
      double ifEarly = surprise(turn, -lag * STEP_SECONDS);
      nats[LAGS + lag] += Math.min(ifNone, ifEarly) - ifLate;
      nats[LAGS - lag] += Math.min(ifNone, ifLate) - ifEarly;
    }
  }

  private double surprise(Turn turn, double lag) {
    double byOdometry = heading(turn.to - lag) - heading(turn.from - lag);
    double deviations = Pose.wrap(turn.byLaser - byOdometry) / turn.deviation;
    return Math.min(MAX_NATS, deviations * deviations / 2);
  }

  private double heading(double seconds) {
    int after = 1;
    while (after < headings.size() - 1 && headings.get(after).seconds < seconds) {
      after++;
    }
    Heading one = headings.get(after - 1);
    Heading other = headings.get(after);
    double share = (seconds - one.seconds) / (other.seconds - one.seconds);
    return one.radians + share * (other.radians - one.radians);
  }

  /**
   * Returns by how much scans are stamped too late, seconds; below 0 if too early; 0 if nothing is
   * found.
   */
  public double lagSeconds() {
    int best = LAGS;
    for (int lag = 0; lag < nats.length; lag++) {
      best = nats[lag] > nats[best] ? lag : best;
    }
    boolean matters = Math.abs(best - LAGS) >= MIN_STEPS;
    return matters && nats[best] > odds ? (best - LAGS) * STEP_SECONDS : 0;
  }
}
