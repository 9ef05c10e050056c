package org.cartostream.slam.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.Trajectory;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TrajectoryErrorTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void isWhatWasWorkedOutByHand() throws EvaluationException {
    // A square of side 2 against a rectangle of 2 x 4: both centred, no turn helps, and each corner
    // is 1 m off.
    List<StampedPose> square = path(-1, -1, 1, -1, 1, 1, -1, 1);
    List<StampedPose> rectangle = path(-1, -2, 1, -2, 1, 2, -1, 2);

    TrajectoryError error = TrajectoryError.of(square, rectangle);

    assertThat(error.rmseMetres()).isCloseTo(1, within(1e-12));
    assertThat(error.maxMetres()).isCloseTo(1, within(1e-12));
    assertThat(error.rotationRmseRadians()).isCloseTo(0, within(1e-12));
    assertThat(error.matched()).isEqualTo(4);
  }

  @Test
  void tellsTheErrorOfHeadingApart() throws EvaluationException {
    List<StampedPose> reference = path(0, 0, 2, 0, 2, 2);
    List<StampedPose> turned =
        reference.stream()
            .map(p -> new StampedPose(p.stampNanos(), p.pose().then(new Pose(0, 0, 0.3))))
            .toList();

    TrajectoryError error = TrajectoryError.of(turned, reference);

    assertThat(error.rmseMetres()).isCloseTo(0, within(1e-12));
    assertThat(error.rotationRmseRadians()).isCloseTo(0.3, within(1e-12));
  }

  /** Where it stands is only noise, which has no direction. */
  @Property(tries = 50)
  void headingsTellTheRotationOfARobotThatStaysOnOneSpot(@ForAll Random random)
      throws EvaluationException {
    List<StampedPose> reference = new ArrayList<>();
    List<StampedPose> estimate = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Pose turned = new Pose(5, 5, i * 0.1);
      Pose off = new Pose(0.01 * random.nextGaussian(), 0.01 * random.nextGaussian(), 0.7);
      reference.add(new StampedPose(i * SECOND, turned));
      estimate.add(new StampedPose(i * SECOND, off.then(turned)));
    }

    TrajectoryError error = TrajectoryError.of(estimate, reference);

    assertThat(error.rotationRmseRadians()).isCloseTo(0, within(1e-9));
    assertThat(error.rmseMetres()).isBetween(0.01, 0.02);
  }

  @Property
  void doesNotChangeWhenTheEstimateIsMovedAsAWhole(
      @ForAll Random random,
      @ForAll @DoubleRange(min = -100, max = 100) double x,
      @ForAll @DoubleRange(min = -100, max = 100) double y,
      @ForAll @DoubleRange(min = -3.1, max = 3.1) double theta)
      throws EvaluationException {
    List<StampedPose> reference = randomPath(random);
    List<StampedPose> estimate = shaken(random, reference);
    Pose motion = new Pose(x, y, theta);
    List<StampedPose> moved =
        estimate.stream().map(p -> new StampedPose(p.stampNanos(), motion.then(p.pose()))).toList();

    TrajectoryError before = TrajectoryError.of(estimate, reference);
    TrajectoryError after = TrajectoryError.of(moved, reference);

    assertThat(after.rmseMetres()).isCloseTo(before.rmseMetres(), within(1e-9));
    assertThat(after.maxMetres()).isCloseTo(before.maxMetres(), within(1e-9));
    assertThat(after.rotationRmseRadians()).isCloseTo(before.rotationRmseRadians(), within(1e-9));
  }

  @Property(tries = 50)
  void noOtherMotionFitsBetter(@ForAll Random random) throws EvaluationException {
    List<StampedPose> reference = randomPath(random);
    List<StampedPose> estimate = shaken(random, reference);
    double best = TrajectoryError.of(estimate, reference).rmseMetres();

    for (int i = 0; i < 200; i++) {
      double spread = Math.pow(10, -random.nextInt(4));
      Pose other =
          new Pose(
              random.nextGaussian() * spread,
              random.nextGaussian() * spread,
              random.nextGaussian() * spread);
      assertThat(rmseAfter(other, estimate, reference)).isGreaterThanOrEqualTo(best - 1e-12);
    }
  }

  @Property
  void doesNotDependOnTheOrderOfTheLines(@ForAll Random random) throws EvaluationException {
    List<StampedPose> reference = randomPath(random);
    List<StampedPose> estimate = shaken(random, reference);
    List<StampedPose> shuffled = new ArrayList<>(estimate);
    Collections.shuffle(shuffled, random);

    assertThat(TrajectoryError.of(shuffled, reference))
        .isEqualTo(TrajectoryError.of(estimate, reference));
  }

  @Test
  void pairsStampsThatOccurTwiceInTheirOrder() throws EvaluationException {
    List<StampedPose> twice = List.of(at(0, 0, 0), at(1, 1, 0), at(1, 2, 5), at(2, 3, 0));

    TrajectoryError error = TrajectoryError.of(twice, twice);

    assertThat(error.matched()).isEqualTo(4);
    assertThat(error.maxMetres()).isCloseTo(0, within(1e-12));
  }

  @Test
  void posesOfOneStampThatTheReferenceLacksAreLeftOutWhereverTheyStand()
      throws EvaluationException {
    for (int seconds = -1; seconds <= 100; seconds++) {
      List<StampedPose> reference = path(new double[200]);
      StampedPose stray = new StampedPose(seconds * SECOND + SECOND / 2, new Pose(77, 77, 0));
      List<StampedPose> estimate = new ArrayList<>(reference);
      estimate.addAll(List.of(stray, stray));

      TrajectoryError error = TrajectoryError.of(estimate, reference);

      assertThat(error.matched()).isEqualTo(100);
      assertThat(error.maxMetres()).isCloseTo(0, within(1e-12));
    }
  }

  @Test
  void ofAStampThatTheReferenceHasOnceTheFirstPoseCounts() throws EvaluationException {
    List<StampedPose> reference = path(0, 0, 2, 0, 2, 2, 0, 2);
    List<StampedPose> estimate = new ArrayList<>(reference);
    estimate.addAll(List.of(at(1, 77, 77), at(1, 78, 78)));

    TrajectoryError error = TrajectoryError.of(estimate, reference);

    assertThat(error.matched()).isEqualTo(4);
    assertThat(error.maxMetres()).isCloseTo(0, within(1e-12));
  }

  @Test
  void pairsStampsThatWereRoundedAndLeavesOutPosesInBetween() throws EvaluationException {
    List<StampedPose> reference = path(0, 0, 2, 0, 2, 2);
    List<StampedPose> estimate = new ArrayList<>();
    for (StampedPose pose : reference) {
      estimate.add(new StampedPose(pose.stampNanos() + 499_999, pose.pose()));
      estimate.add(new StampedPose(pose.stampNanos() + SECOND / 2, new Pose(77, 77, 0)));
    }

    assertThat(TrajectoryError.of(estimate, reference).maxMetres()).isCloseTo(0, within(1e-12));
  }

  @Test
  void refusesATrajectoryThatMissesMoreThanOnePercentOfTheReference() throws EvaluationException {
    double[] line = new double[200];
    for (int i = 0; i < 100; i++) {
      line[2 * i] = i;
    }
    List<StampedPose> reference = path(line);

    assertThat(TrajectoryError.of(reference.subList(0, 99), reference).matched()).isEqualTo(99);
    assertThatThrownBy(() -> TrajectoryError.of(reference.subList(0, 98), reference))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("only 98 of the reference's 100 stamps");
  }

  @Test
  void ofAPartTheErrorIsThatOfThePosesThatAreLeft() throws EvaluationException {
    List<StampedPose> reference = driven(0, 1000, 1);
    List<StampedPose> estimate = new ArrayList<>(reference.subList(0, 300));
    estimate.addAll(reference.subList(900, 950));
    assertThatThrownBy(() -> TrajectoryError.of(estimate, reference, false))
        .isInstanceOf(EvaluationException.class);

    TrajectoryError error = TrajectoryError.of(estimate, reference, true);

    assertThat(error.matched()).isEqualTo(350);
    assertThat(error.wanted()).isEqualTo(reference.size());
    assertThat(error.rmseMetres()).isCloseTo(0, within(1e-9));
    assertThatThrownBy(() -> TrajectoryError.of(driven(5000, 6000, 1), reference, true))
        .isInstanceOf(EvaluationException.class);
  }

  /** A log of which every fifth scan was taken has the whole log's reference. */
  @Property(tries = 50)
  void posesOfTheReferenceInBetweenArePassedOver(@ForAll Random random) throws EvaluationException {
    List<StampedPose> reference = withAStand(randomPath(random));
    List<StampedPose> estimate = shaken(random, every(2 + random.nextInt(7), reference));

    TrajectoryError error = TrajectoryError.of(estimate, reference);

    assertThat(error.matched()).isEqualTo(estimate.size());
    assertThat(error.wanted()).isEqualTo(reference.size());
    assertThat(error.interpolated()).isFalse();
    List<StampedPose> partners = new ArrayList<>(reference);
    partners.removeIf(
        pose -> estimate.stream().noneMatch(each -> each.stampNanos() == pose.stampNanos()));
    assertThat(error.rmseMetres()).isEqualTo(TrajectoryError.of(estimate, partners).rmseMetres());
  }

  /** The robot stands for minutes in the middle, and no scan is logged. */
  private static List<StampedPose> withAStand(List<StampedPose> path) {
    return IntStream.range(0, path.size())
        .mapToObj(
            i -> {
              long stood = i < path.size() / 2 ? 0 : 200 * SECOND;
              return new StampedPose(path.get(i).stampNanos() + stood, path.get(i).pose());
            })
        .toList();
  }

  @Test
  void refusesATrajectoryOfAFewPosesThatLieEvenly() {
    List<StampedPose> reference = driven(0, 1000, 1);

    assertThatThrownBy(() -> TrajectoryError.of(every(20, reference), reference))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("only 51 of the reference's 1001 stamps");
  }

  @Test
  void refusesATrajectoryWithAGapInIt() throws EvaluationException {
    List<StampedPose> reference = driven(0, 1000, 1);
    List<StampedPose> estimate = new ArrayList<>(every(2, reference));
    // Of a reference's pose a second, every second one; of eight nobody wonders, of 20 they do.
    estimate.subList(101, 104).clear();
    assertThat(TrajectoryError.of(estimate, reference).matched()).isEqualTo(498);

    estimate.subList(201, 210).clear();

    assertThatThrownBy(() -> TrajectoryError.of(estimate, reference))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("only 982 of the reference's 1001 stamps");
  }

  private static List<StampedPose> every(int nth, List<StampedPose> path) {
    return IntStream.range(0, path.size()).filter(i -> i % nth == 0).mapToObj(path::get).toList();
  }

  /** Of a robot that drives straight and evenly, for which an interpolated pose is the true one. */
  private static List<StampedPose> driven(double fromSeconds, double toSeconds, double hertz) {
    List<StampedPose> poses = new ArrayList<>();
    for (int i = 0; fromSeconds + i / hertz <= toSeconds; i++) {
      double seconds = fromSeconds + i / hertz;
      poses.add(
          new StampedPose(
              Math.round(seconds * SECOND), new Pose(seconds, 0.5 * seconds, 0.01 * seconds)));
    }
    return poses;
  }

  /** As a motion capture system's: its figure is that of a reference at the run's own stamps. */
  @Property(tries = 50)
  void aReferenceWithStampsOfItsOwnIsInterpolated(
      @ForAll Random random, @ForAll @DoubleRange(min = 11, max = 200) double hertz)
      throws EvaluationException {
    List<StampedPose> truth = driven(0, 30, 10);
    List<StampedPose> estimate = shaken(random, truth);

    TrajectoryError error = TrajectoryError.of(estimate, driven(-5.0007, 40, hertz));

    TrajectoryError expected = TrajectoryError.of(estimate, truth);
    assertThat(expected.interpolated()).isFalse();
    assertThat(error.interpolated()).isTrue();
    assertThat(error.matched()).isEqualTo(error.wanted()).isEqualTo(truth.size());
    assertThat(error.rmseMetres()).isCloseTo(expected.rmseMetres(), within(1e-6));
    assertThat(error.maxMetres()).isCloseTo(expected.maxMetres(), within(1e-6));
  }

  /**
   * As one that was surveyed at a few places. A run that is a tenth too long is off by a tenth of
   * the way from the middle: of ten stamps 10 s apart, at hypot(1, 0.5) m/s.
   */
  @Test
  void atAReferencesFewStampsTheRunIsInterpolated() throws EvaluationException {
    List<StampedPose> run =
        driven(0, 100, 10).stream()
            .map(
                p ->
                    new StampedPose(
                        p.stampNanos(),
                        new Pose(1.1 * p.pose().x(), 1.1 * p.pose().y(), p.pose().theta())))
            .toList();

    TrajectoryError error = TrajectoryError.of(run, driven(-3.03, 104, 0.1));

    assertThat(error.matched()).isEqualTo(10);
    assertThat(error.wanted()).isEqualTo(11);
    double metresApart = 10 * Math.hypot(1, 0.5);
    double rmse = 0.1 * metresApart * Math.sqrt((10 * 10 - 1) / 12.0);
    assertThat(error.rmseMetres()).isCloseTo(rmse, within(1e-6));
    assertThat(error.maxMetres()).isCloseTo(0.1 * metresApart * 4.5, within(1e-6));
  }

  @Test
  void nothingIsInterpolatedOverMoreThanASecond() throws EvaluationException {
    List<StampedPose> reference = new ArrayList<>(driven(0.003, 10, 100));
    reference.addAll(driven(11.5, 20, 100));

    TrajectoryError error = TrajectoryError.of(driven(0.5, 19.5, 1), reference);

    // 10.5 and 11.5 s: the one lies in the gap, the other is where it ends.
    assertThat(error.matched()).isEqualTo(19);
    assertThat(error.wanted()).isEqualTo(20);
  }

  @Test
  void refusesAReferenceOfAnotherTime() {
    List<StampedPose> reference = driven(1000.003, 1100, 100);

    assertThatThrownBy(() -> TrajectoryError.of(driven(0, 100, 10), reference))
        .isInstanceOf(EvaluationException.class)
        .hasMessage(
            "The trajectory (1001 poses) and its reference (10000) have few stamps in common, and"
                + " only 0 lie between two of the other that are at most 1 s apart; half of"
                + " them and at least 2 are needed: is it the reference of another log?");
  }

  @Test
  void refusesASinglePose() {
    List<StampedPose> one = path(0, 0);

    assertThatThrownBy(() -> TrajectoryError.of(one, one)).isInstanceOf(EvaluationException.class);
  }

  @Test
  void aRunThatStoppedIsMeasuredByTheReferenceUpToThere() throws EvaluationException {
    List<StampedPose> reference = path(0, 0, 2, 0, 2, 2, 0, 2);
    List<StampedPose> half = reference.subList(0, 2);

    List<StampedPose> driven = new Trajectory(reference).upTo(SECOND).poses();

    assertThat(TrajectoryError.of(half, driven).matched()).isEqualTo(2);
  }

  private static double rmseAfter(Pose motion, List<StampedPose> a, List<StampedPose> b) {
    double squares = 0;
    for (int i = 0; i < a.size(); i++) {
      double distance = motion.then(a.get(i).pose()).distance(b.get(i).pose());
      squares += distance * distance;
    }
    return Math.sqrt(squares / a.size());
  }

  private static List<StampedPose> randomPath(Random random) {
    double[] xy = new double[40];
    for (int i = 0; i < xy.length; i++) {
      xy[i] = 10 * random.nextGaussian();
    }
    return path(xy);
  }

  private static List<StampedPose> shaken(Random random, List<StampedPose> path) {
    return path.stream()
        .map(
            p ->
                new StampedPose(
                    p.stampNanos(),
                    p.pose()
                        .then(
                            new Pose(
                                random.nextGaussian() * 0.3,
                                random.nextGaussian() * 0.3,
                                random.nextGaussian() * 0.1))))
        .toList();
  }

  private static List<StampedPose> path(double... xy) {
    List<StampedPose> poses = new ArrayList<>();
    for (int i = 0; i < xy.length; i += 2) {
      poses.add(at(i / 2, xy[i], xy[i + 1]));
    }
    return poses;
  }

  private static StampedPose at(int seconds, double x, double y) {
    return new StampedPose(seconds * SECOND, new Pose(x, y, 0));
  }
}
