package org.cartostream.slam.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RelationsErrorTest {

  private static final long SECOND = 1_000_000_000L;
  private static final double QUARTER = Math.PI / 2;

  /** Two metres ahead, a quarter turn to the left, one metre ahead. */
  private static final List<StampedPose> CORNER =
      List.of(at(0, 0, 0, 0), at(100, 2, 0, QUARTER), at(110, 2, 1, QUARTER));

  @Test
  void meanAndDeviationAreWhatWasWorkedOutByHand() throws EvaluationException {
    List<RelativePose> relativePoses =
        List.of(
            relation(0, 100, 2, 0, QUARTER), // right
            relation(100, 110, 1, 0.4, Math.toRadians(10)), // 0.4 m and 10° off
            relation(110, 0, -1, 2, -QUARTER)); // right, and backwards

    RelationsError error = RelationsError.of(CORNER, relativePoses);

    // Mean of 0, 0, x is x/3, and the deviation x √2 / 3.
    assertThat(error.all().meanMetres()).isCloseTo(0.4 / 3, within(1e-12));
    assertThat(error.all().stdMetres()).isCloseTo(0.4 * Math.sqrt(2) / 3, within(1e-12));
    assertThat(error.all().meanDegrees()).isCloseTo(10.0 / 3, within(1e-9));
    assertThat(error.all().stdDegrees()).isCloseTo(10 * Math.sqrt(2) / 3, within(1e-9));
    assertThat(error.distant().orElseThrow().evaluated()).isEqualTo(2);
    assertThat(error.distant().orElseThrow().meanMetres()).isCloseTo(0, within(1e-12));
  }

  @Test
  void relationsBetweenTwoPosesAreSummedUpApart() throws EvaluationException {
    List<RelativePose> relativePoses =
        List.of(
            relation(0, 100, 2, 0.3, QUARTER), // 0.3 m off, between poses far apart
            relation(100, 110, 1, 0.1, 0), // 0.1 m off, between poses near each other
            relation(0, 50, 9, 0, 0), // ends where nobody knows
            relation(105, 110, 9, 0, 0)); // begins there

    RelationsError error = RelationsError.of(CORNER, relativePoses);

    assertThat(error.all().evaluated()).isEqualTo(4);
    assertThat(error.atPoses().orElseThrow().evaluated()).isEqualTo(2);
    assertThat(error.atPoses().orElseThrow().meanMetres()).isCloseTo(0.2, within(1e-12));
    assertThat(error.distantAtPoses().orElseThrow().evaluated()).isEqualTo(1);
    assertThat(error.distantAtPoses().orElseThrow().meanMetres()).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void betweenTwoPosesTheRobotMovesStraightAndTurnsTheShortWay() throws EvaluationException {
    List<StampedPose> acrossTheSeam = List.of(at(0, 0, 0, 3), at(10, 4, 2, -3));
    // A quarter of the way: (1, 0.5), and 3 + (2π - 6) / 4.
    Pose expected = new Pose(1, 0.5, Pose.wrap(3 + (2 * Math.PI - 6) / 4));
    Pose motion = new Pose(0, 0, 3).to(expected);
    RelativePose relativePose = new RelativePose(0, 5 * SECOND / 2, motion);

    RelationsError error = RelationsError.of(acrossTheSeam, List.of(relativePose));

    assertThat(error.all().meanMetres()).isCloseTo(0, within(1e-12));
    assertThat(error.all().meanDegrees()).isCloseTo(0, within(1e-9));
    assertThat(error.distant()).isEmpty();
    assertThat(error.atPoses()).isEmpty();
    assertThat(error.distantAtPoses()).isEmpty();
  }

  @Test
  void leavesOutAndCountsRelationsOutsideTheTrajectory() throws EvaluationException {
    List<RelativePose> relativePoses =
        List.of(relation(0, 100, 2, 0, QUARTER), relation(0, 111, 0, 0, 0));

    RelationsError error = RelationsError.of(CORNER, relativePoses);

    assertThat(error.relations()).isEqualTo(2);
    assertThat(error.all().evaluated()).isEqualTo(1);
  }

  @Test
  void refusesRelationsOfAnotherLog() {
    List<RelativePose> others = List.of(relation(5000, 6000, 0, 0, 0));

    assertThatThrownBy(() -> RelationsError.of(CORNER, others))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("None of the 1 relations");
    assertThatThrownBy(() -> LoopEdgeError.of(CORNER, others))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("None of the 1 loop edges");
  }

  @Test
  void loopEdgeErrorIsTheDistanceBetweenWhereEdgeAndTrajectoryPutThePose()
      throws EvaluationException {
    List<RelativePose> edges =
        List.of(
            relation(0, 110, 2, 1, 0), // right, whatever the heading
            relation(0, 110, 2, 2, QUARTER), // 1 m
            relation(110, 0, -1 + 3, 2 + 4, -QUARTER), // 5 m
            relation(0, 999, 0, 0, 0)); // ends outside

    LoopEdgeError error = LoopEdgeError.of(CORNER, edges);

    assertThat(error.medianMetres()).isCloseTo(1, within(1e-12));
    // Rank 0.95 x 2 = 1.9 of (0, 1, 5).
    assertThat(error.p95Metres()).isCloseTo(4.6, within(1e-12));
    assertThat(error.evaluated()).isEqualTo(3);
    assertThat(error.edges()).isEqualTo(4);
  }

  @Property(tries = 100)
  void relationsReadOffTheTrajectoryHaveNoErrorHoweverItIsMoved(@ForAll Random random)
      throws EvaluationException {
    List<StampedPose> path = new ArrayList<>();
    List<StampedPose> moved = new ArrayList<>();
    Pose motion = randomPose(random);
    for (int i = 0; i < 20; i++) {
      Pose pose = randomPose(random);
      path.add(new StampedPose(i * SECOND, pose));
      moved.add(new StampedPose(i * SECOND, motion.then(pose)));
    }
    List<RelativePose> relativePoses = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      StampedPose from = path.get(random.nextInt(20));
      StampedPose to = path.get(random.nextInt(20));
      relativePoses.add(
          new RelativePose(from.stampNanos(), to.stampNanos(), from.pose().to(to.pose())));
    }

    RelationsError error = RelationsError.of(moved, relativePoses);

    assertThat(error.all().meanMetres()).isLessThan(1e-9);
    assertThat(error.all().meanDegrees()).isLessThan(1e-9);
    assertThat(LoopEdgeError.of(moved, relativePoses).p95Metres()).isLessThan(1e-9);
  }

  private static Pose randomPose(Random random) {
    return new Pose(
        10 * random.nextGaussian(),
        10 * random.nextGaussian(),
        Pose.wrap(5 * random.nextGaussian()));
  }

  private static StampedPose at(int seconds, double x, double y, double theta) {
    return new StampedPose(seconds * SECOND, new Pose(x, y, theta));
  }

  private static RelativePose relation(int from, int to, double x, double y, double theta) {
    return new RelativePose(from * SECOND, to * SECOND, new Pose(x, y, theta));
  }
}
