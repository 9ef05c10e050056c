package org.cartostream.slam.particle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ParticleRandomTest {

  private static final int DRAWS = 100_000;

  @Test
  void dependsOnEachOfItsKeysAndOnNothingElse() {
    Set<Double> first = new HashSet<>();
    first.add(new ParticleRandom(1, "robot", 1, 1).uniform());
    first.add(new ParticleRandom(2, "robot", 1, 1).uniform());
    first.add(new ParticleRandom(1, "robos", 1, 1).uniform());
    first.add(new ParticleRandom(1, "robot", 2, 1).uniform());
    first.add(new ParticleRandom(1, "robot", 1, 2).uniform());

    assertThat(first).hasSize(5);
    assertThat(new ParticleRandom(1, "robot", 1, 1).uniform()).isIn(first);
  }

  @Test
  void uniformNumbersFillTheUnitIntervalEvenly() {
    ParticleRandom particleRandom = new ParticleRandom(7, "robot", 0, 0);
    int[] bins = new int[100];
    for (int i = 0; i < DRAWS; i++) {
      bins[(int) (100 * particleRandom.uniform())]++;
    }

    double chiSquared =
        Arrays.stream(bins).mapToDouble(n -> (n - 1000.0) * (n - 1000.0) / 1000).sum();
    // 99 degrees of freedom: 99.9 % of true samples stay below 148.2.
    assertThat(chiSquared).isLessThan(148.2);
  }

  @Test
  void normalNumbersOfDifferentParticlesAreStandardNormal() {
    double sum = 0;
    double squares = 0;
    int beyondTwo = 0;
    for (int particle = 0; particle < DRAWS; particle++) {
      double value = new ParticleRandom(7, "robot", 3, particle).gaussian();
      sum += value;
      squares += value * value;
      beyondTwo += Math.abs(value) > 2 ? 1 : 0;
    }

    // Four standard errors each.
    assertThat(sum / DRAWS).isCloseTo(0, within(4 / Math.sqrt(DRAWS)));
    assertThat(squares / DRAWS).isCloseTo(1, within(4 * Math.sqrt(2.0 / DRAWS)));
    assertThat((double) beyondTwo / DRAWS).isCloseTo(0.0455, within(0.0027));
  }
}
