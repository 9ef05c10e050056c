package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The filter on simulated tours whose odometry is bad; {@link FaultTolerance} says how far it may
 * err.
 */
@Nightly(computes = true)
class FaultyOdometryAccuracyTest {

  /** Of a drive of short steps, the first 70 m. */
  private static final int SHORT_STEPS = 800;

  /** Shorter steps are turns on the spot. */
  private static final double MIN_METRES = 0.01;

  /** On so short a way a turned laser does no harm, found out or not: FilterAccuracyTest has it. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LASER_TURNED")
  void theSimulatedTourIsMappedNearlyAsWellAsWithout(Fault fault) throws Exception {
    FaultTolerance.withstands(fault, SimulatedLog.of(World.office(), Route.deadEnds(), 1));
  }

  @Test
  void aTourOfShortStepsBackIsMappedNearlyAsWellAsWithout() throws Exception {
    FaultTolerance.withstands(Fault.REVERSE_AS_FORWARD, shortSteps().first(SHORT_STEPS));
  }

  /** The wheels are larger than odometry has been told. */
  @Test
  void aTourByOdometryThatIsOutOfScaleIsMappedNearlyAsWellAsWithout() throws Exception {
    Recording sound = shortSteps().first(SHORT_STEPS);
    Recording scaled = outOfScale(sound, 0.85);
    double byOdometry = TrajectoryError.of(scaled.odometry(), sound.reference()).rmseMetres();
    double bar = FaultTolerance.barMetres(sound, 1);
    assertThat(byOdometry).isGreaterThan(4 * bar);
    assertThat(FaultTolerance.ate(scaled, 1)).isLessThan(bar);
  }

  private static Recording outOfScale(Recording sound, double scale) {
    return new Recording(
        sound.readings().stream()
            .map(
                reading ->
                    new Reading(
                        reading.stampNanos(),
                        new Pose(
                            scale * reading.odometry().x(),
                            scale * reading.odometry().y(),
                            reading.odometry().theta()),
                        reading.scan()))
            .toList(),
        sound.reference());
  }

  /**
   * By a step of 0.1 m alone nobody can tell: it slips by less than twice what odometry errs. In
   * corridors nobody can tell by many.
   */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void ofTheWayThatWheelsSlipOverShortStepsMostIsTakenBack(long seed) {
    Recording sound = shortSteps();
    Recording slipping = Fault.WHEEL_SLIP.applyTo(sound, seed);
    ReadingFilter readingFilter = new ReadingFilter(Settings.defaults(FilterSettings.class));
    double excess = 0;
    double excessByOdometry = 0;
    for (int i = 0; i < slipping.readings().size(); i++) {
      ReadingFilter.Decision decision = readingFilter.decide(i, slipping.readings().get(i));
      Step step = ((ReadingFilter.Decision.Accept) decision).step();
      assertThat(step.keyFrame()).isTrue(); // Its motion is that since the last reading.
      if (i > 0) {
        Pose truly = sound.reference().get(i - 1).pose().to(sound.reference().get(i).pose());
        Pose says =
            slipping.readings().get(i - 1).odometry().to(slipping.readings().get(i).odometry());
        double sign = Math.abs(truly.x()) < MIN_METRES ? 0 : Math.signum(truly.x());
        excess += sign * (step.motion().x() - truly.x());
        excessByOdometry += sign * (says.x() - truly.x());
      }
    }
    assertThat(excess).isBetween(-0.2 * excessByOdometry, 0.5 * excessByOdometry);
  }

  private static Recording shortSteps() {
    return SimulatedLog.of(
        World.office(), Route.deadEnds(), 1, Lidar.usual(), SimulatedLog.Steps.SHORT);
  }
}
