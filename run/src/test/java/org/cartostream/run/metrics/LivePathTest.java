package org.cartostream.run.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LivePathTest {

  private final LivePath livePath = new LivePath();

  /** Taken where odometry says {@code x}. */
  static Reading reading(long stampNanos, double x) {
    return new Reading(
        stampNanos, new Pose(x, 0, 0), new Scan(Pose.ORIGIN, 0, 0.1, 0, 10, new float[] {1}));
  }

  private static Outcome at(double x, double y) {
    return at(x, y, Correction.NONE);
  }

  private static Outcome at(double x, double y, Correction correction) {
    return new Outcome.Processed(
        new RobotPose(new Pose(x, y, Math.PI / 2), correction, 1, 0), false, 0);
  }

  /** As after an outage; and a log's stamps may go back. */
  @Test
  void posesStandInTheOrderOfTheReadingsHoweverTheirAnswersCame() {
    Reading one = reading(30, 0);
    Reading two = reading(10, 1);
    Reading three = reading(20, 2);
    Reading four = reading(40, 3);
    Stream.of(one, two, three, four).forEach(livePath::read);
    livePath.answered(one, at(0, 0));
    livePath.answered(four, at(0, 3));
    livePath.answered(three, new Outcome.Lost("a process died"));
    livePath.answered(two, at(0, 1));
    assertThat(livePath.poses()).extracting(StampedPose::stampNanos).containsExactly(30L, 10L, 40L);
  }

  /** The robot looks along y on the map, and along x by odometry. */
  @Test
  void aJumpIsWhatOdometryDoesNotExplain() {
    Reading[] all = {reading(1, 0), reading(2, 1), reading(3, 2), reading(4, 3)};
    Stream.of(all).forEach(livePath::read);
    assertThat(livePath.moves().largestJumpMetres()).isZero();
    livePath.answered(all[0], at(5, 0));
    livePath.answered(all[1], at(5, 1));
    assertThat(livePath.moves().largestJumpMetres()).isCloseTo(0, within(1e-12));
    livePath.answered(all[2], at(5.3, 2.4));
    livePath.answered(all[3], at(5.3, 3.32));
    assertThat(livePath.moves().largestJumpMetres()).isCloseTo(0.5, within(1e-12));
    assertThat(livePath.moves().jumps()).isEqualTo(1); // The other is of 0.08 m.
  }

  /** The reading at which it jumped is refused, and odometry goes on from there. */
  @Test
  void odometrysOwnJumpIsNone() {
    Reading[] all = {reading(1, 0), reading(2, 50), reading(3, 51), reading(4, 52)};
    Stream.of(all).forEach(livePath::read);
    livePath.answered(all[0], at(5, 0));
    livePath.answered(all[2], at(5, 2));
    livePath.answered(all[3], at(5, 3.3));
    assertThat(livePath.moves().largestJumpMetres()).isCloseTo(49, within(1e-12));
    livePath.answered(all[1], Outcome.Refused.of(ReadingRefusal.ODOMETRY_JUMP.because("by 50 m")));
    assertThat(livePath.moves().largestJumpMetres()).isCloseTo(0.3, within(1e-12));
    assertThat(livePath.moves().jumps()).isOne();
  }

  /** A loop is closed at the second reading, and the filter jumps by 0.2 m behind it. */
  @Test
  void aCorrectionIsNoJump() {
    Reading[] all = {reading(1, 0), reading(2, 1), reading(3, 2)};
    Stream.of(all).forEach(livePath::read);
    assertThat(livePath.moves().corrections()).isZero();
    assertThat(livePath.moves().largestCorrectionMetres()).isZero();
    Correction first = new Correction(1, new Pose(3, 4, 0), 5);
    Correction second = new Correction(2, new Pose(3, 4.2, 0), 0.2);
    livePath.answered(all[0], at(5, 0));
    livePath.answered(all[1], at(5, 1, first));
    assertThat(livePath.moves().largestJumpMetres()).isZero();
    livePath.answered(all[2], at(5, 2.2, first));
    assertThat(livePath.moves().largestJumpMetres()).isCloseTo(0.2, within(1e-12));
    assertThat(livePath.poses().get(1).pose()).isEqualTo(new Pose(8, 5, Math.PI / 2));

    Reading last = reading(4, 3);
    livePath.read(last);
    livePath.answered(last, at(5, 3.2, second));
    assertThat(livePath.moves().largestJumpMetres()).isCloseTo(0.2, within(1e-12));
    assertThat(livePath.moves().corrections()).isEqualTo(2);
    assertThat(livePath.moves().largestCorrectionMetres()).isEqualTo(5);
  }
}
