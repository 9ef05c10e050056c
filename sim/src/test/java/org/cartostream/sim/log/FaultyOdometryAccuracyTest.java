package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The filter on logs whose odometry is bad: in four of five seeds it may err three times as far as
 * on the sound log, where odometry alone is off by metres ({@link FaultTest}).
 */
@Nightly(computes = true)
class FaultyOdometryAccuracyTest {

  private static final String PARTICLES = "20";
  private static final long SEEDS = 5;
  private static final long MAY_FAIL = 1;
  private static final double FACTOR = 3;

  /** A cell: nobody can ask for less, however well the sound log is mapped. */
  private static final double FLOOR_METRES = 0.05;

  /** Of a drive of short steps, the first 70 m. */
  private static final int SHORT_STEPS = 800;

  /** Shorter steps are turns on the spot. */
  private static final double LEAST_METRES = 0.01;

  /** Readings of the intel log: the first 125 m. */
  private static final int BEGINNING = 250;

  /** The logs are told apart by their length. */
  private record Run(int readings, long seed) {}

  /** ATE of the runs without a fault, which all faults are measured by; metres. */
  private static final Map<Run, Double> SOUND = new HashMap<>();

  /** On so short a way a turned laser does no harm, found out or not: FilterAccuracyTest has it. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LASER_TURNED")
  void theSimulatedTourIsMappedNearlyAsWellAsWithout(Fault fault) throws Exception {
    withstands(fault, SimulatedLog.of(World.office(), Route.deadEnds(), 1));
  }

  @Test
  void aTourOfShortStepsBackIsMappedNearlyAsWellAsWithout() throws Exception {
    withstands(Fault.REVERSE_AS_FORWARD, shortSteps().first(SHORT_STEPS));
  }

  /** The wheels are larger than odometry has been told. */
  @Test
  void aTourByOdometryThatIsOutOfScaleIsMappedNearlyAsWellAsWithout() throws Exception {
    Recording sound = shortSteps().first(SHORT_STEPS);
    Recording scaled = outOfScale(sound, 0.85);
    double byOdometry = TrajectoryError.of(scaled.odometry(), sound.reference()).rmseMetres();
    double bar = Math.max(FLOOR_METRES, FACTOR * soundAte(sound, 1));
    assertThat(byOdometry).isGreaterThan(4 * bar);
    assertThat(ate(scaled, 1)).isLessThan(bar);
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
    Recording slipping = sound.withFault(Fault.WHEEL_SLIP, seed);
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
        double sign = Math.abs(truly.x()) < LEAST_METRES ? 0 : Math.signum(truly.x());
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

  /** Not in reverse: this part of the log has 0.2 m backwards, too little to prove anything. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REVERSE_AS_FORWARD", "LASER_TURNED"})
  void theIntelLogIsMappedNearlyAsWellAsWithout(Fault fault) throws Exception {
    withstands(fault, recorded("intel").first(BEGINNING));
  }

  /**
   * Its corridors are long, and a metre lies between two readings: nothing but that the scan
   * changes contradicts encoders that freeze there.
   */
  @ParameterizedTest
  @EnumSource(names = {"FROZEN_ODOMETRY", "LATE_ODOMETRY"})
  void theAcesLogIsMappedNearlyAsWellAsWithout(Fault fault) throws Exception {
    withstands(fault, recorded("aces"));
  }

  private static Recording recorded(String name) throws IOException {
    return Recording.read(
        TestFiles.publicLog(name + ".clf"), TestFiles.publicLog(name + ".reference.tum"));
  }

  /** Runs seed after seed until enough have passed or failed. */
  private static void withstands(Fault fault, Recording sound) throws EvaluationException {
    List<String> passed = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (long seed = 1; failed.size() <= MAY_FAIL && passed.size() < SEEDS - MAY_FAIL; seed++) {
      double bar = Math.max(FLOOR_METRES, FACTOR * soundAte(sound, seed));
      double error = ate(sound.withFault(fault, seed), seed);
      (error <= bar ? passed : failed)
          .add("seed " + seed + ": ATE " + error + " m, at most " + bar + " m");
    }
    assertThat(failed).as("seeds that miss the bar; %s do not", passed).hasSizeLessThan(2);
  }

  private static double soundAte(Recording sound, long seed) throws EvaluationException {
    Run run = new Run(sound.readings().size(), seed);
    Double known = SOUND.get(run);
    if (known == null) {
      known = ate(sound, seed);
      SOUND.put(run, known);
    }
    return known;
  }

  /** ATE of the filter's path with 20 particles, metres. */
  static double ate(Recording recording, long seed) throws EvaluationException {
    Map<String, String> settings = Map.of("particles", PARTICLES, "seed", Long.toString(seed));
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, settings), "robot");
    long sequence = 0;
    for (Reading reading : recording.readings()) {
      sequence++;
      filter.process(sequence, reading);
    }
    List<StampedPose> path =
        filter.trajectoryTree().bestPath().path().stream()
            .map(pose -> new StampedPose(pose.stampNanos(), pose.pose()))
            .toList();
    return TrajectoryError.of(path, recording.reference()).rmseMetres();
  }
}
