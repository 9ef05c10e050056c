package org.cartostream.slam.geometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PoseTest {

  private static final double TINY = 1e-9;

  @Provide
  Arbitrary<Pose> poses() {
    Arbitrary<Double> metres = Arbitraries.doubles().between(-100, 100);
    Arbitrary<Double> radians = Arbitraries.doubles().between(-3.14, 3.14);
    return Combinators.combine(metres, metres, radians).as(Pose::new);
  }

  @Test
  void drivesAheadInItsOwnDirection() {
    Pose facingNorth = new Pose(1, 2, Math.PI / 2);

    Pose after = facingNorth.then(new Pose(3, 1, Math.PI / 2));

    assertThat(after.x()).isCloseTo(0, within(TINY));
    assertThat(after.y()).isCloseTo(5, within(TINY));
    assertThat(after.theta()).isCloseTo(Math.PI, within(TINY));
  }

  @Property
  void motionBetweenTwoPosesLeadsFromOneToTheOther(
      @ForAll("poses") Pose from, @ForAll("poses") Pose to) {
    assertClose(from.then(from.to(to)), to);
  }

  @Property
  void inverseUndoesAMotion(@ForAll("poses") Pose motion) {
    assertClose(motion.then(motion.inverse()), Pose.ORIGIN);
  }

  @Property
  void wrappedAngleIsTheSameDirectionInHalfOpenInterval(@ForAll double any) {
    double radians = any % 1e6;

    double wrapped = Pose.wrap(radians);

    assertThat(wrapped).isGreaterThan(-Math.PI).isLessThanOrEqualTo(Math.PI);
    assertThat(Math.cos(wrapped)).isCloseTo(Math.cos(radians), within(1e-6));
    assertThat(Math.sin(wrapped)).isCloseTo(Math.sin(radians), within(1e-6));
  }

  @Test
  void wrapsMinusPiToPi() {
    assertThat(Pose.wrap(-Math.PI)).isEqualTo(Math.PI);
    assertThat(Pose.wrap(3 * Math.PI)).isCloseTo(Math.PI, within(TINY));
  }

  private static void assertClose(Pose actual, Pose expected) {
    assertThat(actual.x()).isCloseTo(expected.x(), within(TINY));
    assertThat(actual.y()).isCloseTo(expected.y(), within(TINY));
    assertThat(Pose.wrap(actual.theta() - expected.theta())).isCloseTo(0, within(TINY));
  }
}
