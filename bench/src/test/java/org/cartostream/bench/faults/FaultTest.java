package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Quick
class FaultTest {

  private static final Scan SCAN = new Scan(Pose.ORIGIN, 0, 0.1, 0, 8, new float[] {1});
  private static final Recording TOUR = SimulatedLog.of(World.office(), Route.deadEnds(), 1);

  /** A log whose odometry starts anywhere and makes the given motions. */
  private static List<Reading> log(Pose... motions) {
    Pose odometry = new Pose(3, -2, 0.5);
    List<Reading> log = new ArrayList<>(List.of(new Reading(0, odometry, SCAN)));
    for (Pose motion : motions) {
      odometry = odometry.then(motion);
      log.add(new Reading(log.size(), odometry, SCAN));
    }
    return log;
  }

  private static List<Pose> motions(List<Reading> log) {
    List<Pose> motions = new ArrayList<>();
    for (int i = 1; i < log.size(); i++) {
      motions.add(log.get(i - 1).odometry().to(log.get(i).odometry()));
    }
    return motions;
  }

  private static double metres(List<Reading> log) {
    return motions(log).stream().mapToDouble(Pose.ORIGIN::distance).sum();
  }

  private static Pose straight(double metres) {
    return new Pose(metres, 0, 0);
  }

  private static void assertSame(Pose actual, Pose expected) {
    assertThat(actual.distance(expected)).as("%s and %s", actual, expected).isLessThan(1e-9);
    assertThat(Pose.wrap(actual.theta() - expected.theta())).isCloseTo(0, within(1e-9));
  }

  @Test
  void theHeadingDriftsByADegreePerMetreAndNotWhileTheRobotTurns() {
    Pose turn = new Pose(0, 0, 1);

    List<Pose> seen =
        motions(
            Fault.HEADING_DRIFT.applyTo(log(straight(2), turn, straight(-0.5), straight(1)), 1));

    assertSame(seen.get(0), new Pose(2, 0, Math.toRadians(2)));
    assertSame(seen.get(1), turn);
    assertSame(seen.get(2), new Pose(-0.5, 0, Math.toRadians(0.5)));
    assertSame(seen.get(3), new Pose(1, 0, Math.toRadians(1)));
  }

  /** Fifty metres on slipping wheels count as 50 / 0.8: odometry is 12.5 m longer. */
  @Property(tries = 50)
  void tenStretchesOfFiveMetresSlipByAFifth(@ForAll long seed) {
    List<Reading> slipped = Fault.WHEEL_SLIP.applyTo(TOUR.readings(), seed);

    assertThat(metres(slipped)).isCloseTo(metres(TOUR.readings()) + 12.5, within(1e-6));
    List<Pose> sound = motions(TOUR.readings());
    List<Pose> seen = motions(slipped);
    for (int i = 0; i < seen.size(); i++) {
      assertThat(Pose.wrap(seen.get(i).theta() - sound.get(i).theta())).isCloseTo(0, within(1e-9));
      assertThat(Pose.ORIGIN.distance(seen.get(i)))
          .isBetween(
              Pose.ORIGIN.distance(sound.get(i)) - 1e-9,
              Pose.ORIGIN.distance(sound.get(i)) / 0.8 + 1e-9);
    }
  }

  @Test
  void aDriveOfFiftyMetresSlipsAllTheWay() {
    List<Reading> slipped = Fault.WHEEL_SLIP.applyTo(log(straight(20), straight(30)), 7);

    assertSame(motions(slipped).get(0), straight(25));
    assertSame(motions(slipped).get(1), straight(37.5));
  }

  @Test
  void aDriveShorterThanTheStretchesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fault.WHEEL_SLIP.applyTo(log(straight(49)), 1))
        .withMessageContaining("49.0 m");
  }

  @Property(tries = 50)
  void tenMotionsInARowAreLostAndNoOther(@ForAll long seed) {
    List<Pose> sound = motions(TOUR.readings());
    List<Pose> seen = motions(Fault.FROZEN_ODOMETRY.applyTo(TOUR.readings(), seed));

    int first = firstStill(seen, sound);
    double lost = 0;
    for (int i = 0; i < seen.size(); i++) {
      boolean frozen = i >= first && i < first + 10;
      assertSame(seen.get(i), frozen ? Pose.ORIGIN : sound.get(i));
      lost += frozen ? Pose.ORIGIN.distance(sound.get(i)) : 0;
    }
    assertThat(lost).isGreaterThan(1.5);
  }

  private static int firstStill(List<Pose> seen, List<Pose> sound) {
    for (int i = 0; i < seen.size(); i++) {
      if (isStill(seen.get(i)) && !isStill(sound.get(i))) {
        return i;
      }
    }
    throw new AssertionError("odometry never stands still");
  }

  private static boolean isStill(Pose motion) {
    return Pose.ORIGIN.distance(motion) < 1e-12 && Math.abs(motion.theta()) < 1e-12;
  }

  @Property(tries = 50)
  void lateOdometryIsRightButForTenReadings(@ForAll long seed) {
    List<Reading> late = Fault.LATE_ODOMETRY.applyTo(TOUR.readings(), seed);

    List<Integer> wrong = new ArrayList<>();
    for (int i = 0; i < late.size(); i++) {
      if (!late.get(i).odometry().equals(TOUR.readings().get(i).odometry())) {
        wrong.add(i);
      }
    }
    assertThat(wrong).hasSize(10);
    assertThat(wrong.get(9) - wrong.get(0)).isEqualTo(9);
    Pose before = TOUR.readings().get(wrong.get(0) - 1).odometry();
    assertThat(wrong).allSatisfy(i -> assertThat(late.get(i).odometry()).isEqualTo(before));
  }

  @Property(tries = 50)
  void odometryThatIsStartedAnewIsAtItsOriginAndAllOtherMotionsAreAsTheyWere(@ForAll long seed) {
    List<Reading> seen = Fault.RESTARTED_ODOMETRY.applyTo(TOUR.readings(), seed);

    List<Pose> sound = motions(TOUR.readings());
    List<Pose> motions = motions(seen);
    int restarts = 0;
    for (int i = 0; i < sound.size(); i++) {
      if (motions.get(i).distance(sound.get(i)) > 1e-9) {
        assertSame(seen.get(i + 1).odometry(), Pose.ORIGIN);
        restarts++;
      }
    }
    assertThat(restarts).isBetween(2, 4);
  }

  @Test
  void aLogTooShortToFreezeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fault.FROZEN_ODOMETRY.applyTo(log(straight(1), straight(1)), 1))
        .withMessageContaining("3 readings");
  }

  @Property(tries = 50)
  void aTwentiethOfTheReadingsIsMissingAndTheRestIsAsItWas(
      @ForAll long seed, @ForAll @IntRange(min = 100, max = 727) int length) {
    List<Reading> all = TOUR.first(length).readings();

    List<Reading> left = Fault.MISSING_SCANS.applyTo(all, seed);

    assertThat(left).hasSize(length - Math.round(length / 20f)).isSubsetOf(all);
    assertThat(left).isSortedAccordingTo((a, b) -> Long.compare(a.stampNanos(), b.stampNanos()));
    assertThat(Fault.MISSING_SCANS.applyTo(TOUR.first(length), seed).reference())
        .extracting(pose -> pose.stampNanos())
        .isEqualTo(left.stream().map(Reading::stampNanos).toList());
  }

  @Test
  void stepsBackwardsCountAsForwards() {
    Pose curve = new Pose(-0.3, 0.1, 0.2);

    List<Pose> seen =
        motions(Fault.REVERSE_AS_FORWARD.applyTo(log(straight(1), straight(-1), curve), 1));

    assertSame(seen.get(0), straight(1));
    assertSame(seen.get(1), straight(1));
    assertSame(seen.get(2), new Pose(0.3, 0.1, 0.2));
  }

  @Test
  void aTurnedLaserIsWhereTheLogHasItTurnedToTheLeft() {
    Pose mount = new Pose(0.2, 0.1, 0.3);
    Reading sound = new Reading(1, straight(2), SCAN.mountedAt(mount));

    Reading faulty = Fault.LASER_TURNED.applyTo(List.of(sound), 1).get(0);

    assertSame(faulty.scan().mount().then(new Pose(0, 0, Math.toRadians(5))), mount);
    assertThat(faulty.scan().mountedAt(mount)).isEqualTo(sound.scan());
    assertThat(faulty.odometry()).isEqualTo(sound.odometry());
    assertThat(faulty.stampNanos()).isEqualTo(sound.stampNanos());
  }

  @Test
  void theTourHasManyStepsBackwards() {
    assertThat(motions(TOUR.readings()))
        .filteredOn(motion -> motion.x() < 0)
        .hasSizeGreaterThan(100);
  }

  /** The filter's bar is 3 times its error on the sound log, some centimetres. */
  @ParameterizedTest
  @EnumSource
  void odometryAloneIsOffByMoreThanAMetre(Fault fault) throws Exception {
    Recording faulty = fault.applyTo(TOUR, 1);

    assertThat(TrajectoryError.of(faulty.odometry(), faulty.reference()).rmseMetres())
        .isGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource
  void oneSeedGivesOneLog(Fault fault) {
    assertThat(fault.applyTo(TOUR.readings(), 3)).isEqualTo(fault.applyTo(TOUR.readings(), 3));
  }
}
