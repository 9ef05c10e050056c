package org.cartostream.slam.preprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ReadingFilterTest {

  private static final float NAN = Float.NaN;
  private static final float INF = Float.POSITIVE_INFINITY;

  /** The laser does not recognise it. */
  private static final Scan ELSEWHERE = scan(7, 8);

  private final ReadingFilter readingFilter =
      new ReadingFilter(Settings.defaults(FilterSettings.class));
  private long sequence;

  private static Scan scan(float... ranges) {
    return new Scan(Pose.ORIGIN, -1, 0.1, 0.1, 10, ranges);
  }

  private ReadingFilter.Decision decide(Pose odometry, Scan scan) {
    return readingFilter.decide(++sequence, new Reading(sequence, odometry, scan));
  }

  private Step take(Pose odometry) {
    return ((ReadingFilter.Decision.Accept) decide(odometry, scan(1, 2))).step();
  }

  private ReadingRefusal refusal(Pose odometry, Scan scan) {
    ReadingFilter.Decision.Refuse refuse = (ReadingFilter.Decision.Refuse) decide(odometry, scan);
    return (ReadingRefusal) refuse.why().refusal();
  }

  @Test
  void firstReadingIsAKeyFrameWithoutMotionWhereverOdometryStarts() {
    Step step = take(new Pose(100, -50, 2));

    assertThat(step.keyFrame()).isTrue();
    assertThat(step.first()).isTrue();
    assertThat(step.motion()).isEqualTo(Pose.ORIGIN);
  }

  @Test
  void motionAddsUpUntilTheNextKeyFrame() {
    take(new Pose(0, 0, Math.PI / 2));

    assertThat(take(new Pose(0, 0.015, Math.PI / 2)).keyFrame()).isFalse();
    Step step = take(new Pose(0, 0.03, Math.PI / 2));

    assertThat(step.keyFrame()).isTrue();
    assertThat(step.first()).isFalse();
    assertThat(step.motion().x()).isCloseTo(0.03, within(1e-12));
    assertThat(step.motion().y()).isCloseTo(0, within(1e-12));
  }

  /**
   * Odometry that began anew elsewhere is no jump then, and what it says next is a motion again.
   */
  @Test
  void aRobotThatWasCarriedIsPlacedAtItsNextReading() {
    take(new Pose(50, 20, 1));
    InitialPose.At there = new InitialPose.At(new Pose(7, 8, 0.5), 0.5, 0.5, 0.2);

    readingFilter.relocate(there, Settings.defaults(FilterSettings.class));
    Step step = take(Pose.ORIGIN);

    assertThat(step.keyFrame()).isTrue();
    assertThat(step.first()).as("of the run").isFalse();
    assertThat(step.motion()).as("no motion leads there").isEqualTo(Pose.ORIGIN);
    assertThat(step.initialPose()).isEqualTo(there);
    Step next = take(new Pose(0.03, 0, 0));
    assertThat(next.initialPose()).isNull();
    assertThat(next.motion().x()).isCloseTo(0.03, within(1e-12));
  }

  @Test
  void turningOnTheSpotMakesAKeyFrame() {
    take(Pose.ORIGIN);

    assertThat(take(new Pose(0, 0, 0.02)).keyFrame()).isTrue();
  }

  @Test
  void refusesScansThatCannotBeUsedAndSaysWhy() {
    assertThat(refusal(Pose.ORIGIN, scan())).isEqualTo(ReadingRefusal.NO_BEAMS);
    assertThat(refusal(Pose.ORIGIN, scan(NAN, INF, -INF, 0, 0.05f, 10)))
        .isEqualTo(ReadingRefusal.ALL_BEAMS_INVALID);
    assertThat(refusal(Pose.ORIGIN, new Scan(Pose.ORIGIN, 0, 0, 0, 10, new float[] {1, 1})))
        .isEqualTo(ReadingRefusal.BAD_ANGLES);
    assertThat(refusal(Pose.ORIGIN, new Scan(Pose.ORIGIN, NAN, 1, 0, 10, new float[] {1, 1})))
        .isEqualTo(ReadingRefusal.BAD_ANGLES);
    assertThat(refusal(Pose.ORIGIN, new Scan(Pose.ORIGIN, -90, 0.1, 0, 10, new float[] {1, 1})))
        .as("degrees")
        .isEqualTo(ReadingRefusal.BAD_ANGLES);
    Pose nowhere = new Pose(0, NAN, 0);
    assertThat(refusal(Pose.ORIGIN, new Scan(nowhere, 0, 1, 0, 10, new float[] {1, 1})))
        .isEqualTo(ReadingRefusal.MOUNT_NOT_FINITE);
    assertThat(refusal(Pose.ORIGIN, new Scan(Pose.ORIGIN, 0, 1, 5, 5, new float[] {1, 1})))
        .isEqualTo(ReadingRefusal.BAD_RANGE_LIMITS);
    assertThat(refusal(new Pose(NAN, 0, 0), scan(1))).isEqualTo(ReadingRefusal.ODOMETRY_NOT_FINITE);
  }

  @Test
  void refusesMoreBeamsThanAnyLaserHas() {
    float[] ranges = new float[10_001];
    Arrays.fill(ranges, 5);
    double step = 2 * Math.PI / ranges.length;

    ReadingFilter.Decision.Refuse tooMany =
        (ReadingFilter.Decision.Refuse)
            decide(Pose.ORIGIN, new Scan(Pose.ORIGIN, 0, step, 0.1, 10, ranges));
    assertThat(tooMany.why().toString())
        .contains("slam.readingFilter.maxBeams")
        .contains("10001 beams; at most 10000");
    assertThat(tooMany.why().refusal()).isEqualTo(ReadingRefusal.TOO_MANY_BEAMS);
    float[] allowed = Arrays.copyOf(ranges, 10_000);
    assertThat(decide(Pose.ORIGIN, new Scan(Pose.ORIGIN, 0, step, 0.1, 10, allowed)))
        .isInstanceOf(ReadingFilter.Decision.Accept.class);
  }

  @Test
  void refusesALaserThatIsMountedBesideTheRobot() {
    assertThat(take(Pose.ORIGIN).first()).isTrue();
    for (Pose mount : new Pose[] {new Pose(0, 101, 0), new Pose(-3e8, 0, 0), new Pose(80, 80, 1)}) {
      Scan scan = new Scan(mount, -1, 0.1, 0.1, 10, new float[] {1, 2});
      assertThat(refusal(Pose.ORIGIN, scan)).isEqualTo(ReadingRefusal.MOUNT_TOO_FAR);
    }
    Scan far = new Scan(new Pose(-1234, 0, 0), -1, 0.1, 0.1, 10, new float[] {1, 2});
    assertThat(((ReadingFilter.Decision.Refuse) decide(Pose.ORIGIN, far)).why().toString())
        .contains("1234 m away; at most 100 m");
    Scan crane = new Scan(new Pose(60, -80, 0), -1, 0.1, 0.1, 10, new float[] {1, 2});
    assertThat(decide(Pose.ORIGIN, crane)).isInstanceOf(ReadingFilter.Decision.Accept.class);
  }

  @Test
  void aMaximumThatIsLeftOpenMakesNoHitOfWhatMeansNothingMet() {
    for (double open : new double[] {INF, Float.MAX_VALUE, 1e9}) {
      Scan scan = new Scan(Pose.ORIGIN, -1, 0.1, 0.1, open, new float[] {1e9f, Float.MAX_VALUE});
      assertThat(refusal(Pose.ORIGIN, scan)).isEqualTo(ReadingRefusal.ALL_BEAMS_INVALID);
      Scan wall = new Scan(Pose.ORIGIN, -1, 0.1, 0.1, open, new float[] {2, Float.MAX_VALUE});
      assertThat(decide(Pose.ORIGIN, wall)).isInstanceOf(ReadingFilter.Decision.Accept.class);
    }
  }

  @Test
  void whatIsNearerThanTheRobotsOwnPartsIsLeftOut() {
    ReadingFilter near =
        new ReadingFilter(
            Settings.build(FilterSettings.class, Map.of("readingFilter.minRangeMetres", "0.3")));
    near.decide(1, new Reading(1, Pose.ORIGIN, scan(1, 2)));
    Reading half = new Reading(2, Pose.ORIGIN, scan(0.29f, 0.31f));
    Scan seen = ((ReadingFilter.Decision.Accept) near.decide(2, half)).step().scan();
    assertThat(seen.isHit(0)).isFalse();
    assertThat(seen.isHit(1)).isTrue();
    assertThat(seen.isMiss(0)).as("nor is it free space").isFalse();

    ReadingFilter.Decision all = near.decide(3, new Reading(3, Pose.ORIGIN, scan(0.2f, 0.1f)));
    assertThat(((ReadingFilter.Decision.Refuse) all).why().refusal())
        .isEqualTo(ReadingRefusal.ALL_BEAMS_INVALID);
    take(Pose.ORIGIN);
    ReadingFilter.Decision byDefault = decide(Pose.ORIGIN, scan(0.29f, 0.31f));
    assertThat(((ReadingFilter.Decision.Accept) byDefault).step().scan().isHit(0)).isTrue();
  }

  @Test
  void whatIsNearFromTheBeginningIsLeftOut() {
    Scan seen = ((ReadingFilter.Decision.Accept) decide(Pose.ORIGIN, scan(0.3f, 2))).step().scan();
    assertThat(seen.isHit(0)).isFalse();
    assertThat(seen.isHit(1)).isTrue();
    assertThat(refusal(Pose.ORIGIN, scan(0.3f, NAN))).isEqualTo(ReadingRefusal.ALL_BEAMS_INVALID);
  }

  /** REP 117: it shows what is free. Where the robot is, odometry says, until a wall is seen. */
  @Test
  void aScanThatMetNothingIsDrawnAndNoKeyFrame() {
    assertThat(refusal(Pose.ORIGIN, scan(INF, INF)))
        .as("there is no place to draw it from")
        .isEqualTo(ReadingRefusal.ALL_BEAMS_INVALID);
    take(Pose.ORIGIN);
    Step open = ((ReadingFilter.Decision.Accept) decide(new Pose(0.5, 0, 0), scan(INF))).step();
    assertThat(open.keyFrame()).isFalse();
    assertThat(open.motion().x()).isCloseTo(0.5, within(1e-9));
    assertThat(open.scan().hasInfinity()).isTrue();
    Step wall = ((ReadingFilter.Decision.Accept) decide(new Pose(0.7, 0, 0), scan(2))).step();
    assertThat(wall.keyFrame()).isTrue();
    assertThat(wall.motion().x()).isCloseTo(0.7, within(1e-9));
    assertThat(refusal(new Pose(0.8, 0, 0), scan(NAN))).isEqualTo(ReadingRefusal.ALL_BEAMS_INVALID);
  }

  @Test
  void asksWhetherRangesAreMillimetres() {
    assertThat(refused(12_000, 900, 4000, 0, Float.NaN))
        .isEqualTo("4 beams, the nearest range is 900 m of at most 12000 m: are they millimetres?");
    assertThat(refused(12_000, 0, INF)).isEqualTo("2 beams");
    assertThat(refused(900, 400, 800)).isEqualTo("2 beams");
  }

  private String refused(double maxRange, float... ranges) {
    Scan scan = new Scan(Pose.ORIGIN, 0, 0.1, 0, maxRange, ranges);
    return ((ReadingFilter.Decision.Refuse) decide(Pose.ORIGIN, scan)).why().detail();
  }

  /** The laser sees 6 m and says so for a beam that met nothing; by its maximum it sees 10. */
  @Test
  void whatManyBeamsHaveAndNoneExceedsIsNoWall() {
    Scan open =
        ((ReadingFilter.Decision.Accept) decide(Pose.ORIGIN, scan(6, 6, 6, 6, 6, 2))).step().scan();
    assertThat(open.isMiss(0)).isTrue();
    assertThat(open.isHit(5)).isTrue();
    Scan one =
        ((ReadingFilter.Decision.Accept) decide(Pose.ORIGIN, scan(1, 3, 4, 5, 6, 2))).step().scan();
    assertThat(one.isMiss(4)).as("once known, by one beam").isTrue();

    decide(Pose.ORIGIN, scan(1, 3, 4, 5, 6.2f, 2));
    Scan hall =
        ((ReadingFilter.Decision.Accept) decide(Pose.ORIGIN, scan(6, 6, 6, 6, 6, 2))).step().scan();
    assertThat(hall.isHit(0)).as("where others see farther").isTrue();
  }

  @Test
  void motionDuringARefusedScanIsNotForgotten() {
    take(Pose.ORIGIN);
    refusal(new Pose(0.4, 0, 0), scan(NAN));

    assertThat(take(new Pose(0.8, 0, 0)).motion().x()).isCloseTo(0.8, within(1e-12));
  }

  @Test
  void jumpOfOdometryIsNoMotion() {
    take(Pose.ORIGIN);
    ReadingFilter.Decision jump = decide(new Pose(500, 0, 0), scan(1));

    assertThat(((ReadingFilter.Decision.Refuse) jump).why().toString())
        .contains("jumped")
        .contains("500.00 m")
        .contains("at most 10.00 m");
    assertThat(motion(decide(new Pose(501, 0, 0), ELSEWHERE))).isCloseTo(1, within(1e-12));
  }

  private ReadingFilter.Decision decide(double seconds, double x) {
    long stamp = Math.round(seconds * 1e9);
    return readingFilter.decide(++sequence, new Reading(stamp, new Pose(x, 0, 0), scan(1, 2)));
  }

  private static double motion(ReadingFilter.Decision taken) {
    return ((ReadingFilter.Decision.Accept) taken).step().motion().x();
  }

  @Test
  void whatIsDrivenWhileTheLaserIsSilentIsNoJump() {
    decide(0, 0);
    assertThat(motion(decide(15, 15))).isCloseTo(15, within(1e-12));
    assertThat(motion(decide(46, 56))).as("in 31 s").isCloseTo(41, within(1e-12));
    assertThat(decide(46.1, 67)).as("in no time").isInstanceOf(ReadingFilter.Decision.Refuse.class);
    assertThat(decide(90, 0.5))
        .as("to the origin")
        .isInstanceOf(ReadingFilter.Decision.Refuse.class);
  }

  @Test
  void inALongSilenceARobotDoesNotDriveFartherThanInHalfAMinute() {
    decide(0, 0);
    assertThat(motion(decide(36_000, 69))).as("ten hours").isCloseTo(69, within(1e-12));
    assertThat(decide(72_000, 140))
        .as("ten more")
        .isInstanceOf(ReadingFilter.Decision.Refuse.class);
  }

  /** Odometry that was started anew would look ahead as well. */
  @Test
  void aRobotThatCameHomeWhileTheLaserWasSilentHasDriven() {
    decide(0, 15);
    Reading home = new Reading(26_000_000_000L, new Pose(0.2, 0.1, 2), scan(1, 2));

    assertThat(motion(readingFilter.decide(++sequence, home))).isCloseTo(-14.8, within(1e-12));
  }

  @Test
  void anglesInDegreesAreRefused() {
    Scan degrees = new Scan(Pose.ORIGIN, -135, 1.5, 0.1, 10, new float[181]);
    Scan turnAndAHalf = new Scan(Pose.ORIGIN, -3, 0.05, 0.1, 10, ranges(181));

    assertThat(refusal(Pose.ORIGIN, degrees)).isEqualTo(ReadingRefusal.BAD_ANGLES);
    assertThat(decide(Pose.ORIGIN, turnAndAHalf)).isInstanceOf(ReadingFilter.Decision.Accept.class);
  }

  private static float[] ranges(int beams) {
    float[] ranges = new float[beams];
    Arrays.fill(ranges, 1);
    return ranges;
  }

  @Test
  void ofOdometryThatJumpsAndComesBackNothingIsLost() {
    decide(0, 0);
    assertThat(decide(0.1, 500)).isInstanceOf(ReadingFilter.Decision.Refuse.class);
    assertThat(decide(0.2, -500)).isInstanceOf(ReadingFilter.Decision.Refuse.class);
    assertThat(motion(decide(0.3, 0.5))).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void ofOdometryThatJumpsAndStaysNothingCounts() {
    decide(0, 0);
    assertThat(decide(0.1, 20)).isInstanceOf(ReadingFilter.Decision.Refuse.class);
    Reading next = new Reading(200_000_000, new Pose(21, 0, 0), ELSEWHERE);
    assertThat(motion(readingFilter.decide(++sequence, next))).isCloseTo(1, within(1e-12));
    assertThat(decide(0.3, 0))
        .as("a jump of its own")
        .isInstanceOf(ReadingFilter.Decision.Refuse.class);
  }
}
