package org.cartostream.slam.particle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ParticleWeightsTest {

  /** Of particles by number: 10 times it ahead, 20 times to the left, and so on. */
  private static ParticleWeights of(long sequence, long evaluations, int... particles) {
    ParticleWeights particleWeights =
        ParticleWeights.empty(sequence, particles.length, evaluations);
    for (int i = 0; i < particles.length; i++) {
      int number = particles[i];
      particleWeights.particles()[i] = number;
      particleWeights.x()[i] = 10 * number;
      particleWeights.y()[i] = 20 * number;
      particleWeights.theta()[i] = 0.1 * number;
      particleWeights.logLikelihoods()[i] = -number;
      particleWeights.mapBytes()[i] = 1000 * number;
    }
    return particleWeights;
  }

  private static void assertBelieves(ParticleWeights all, int number) {
    assertThat(all.particles()[number]).isEqualTo(number);
    assertThat(all.pose(number)).isEqualTo(new Pose(10 * number, 20 * number, 0.1 * number));
    assertThat(all.logLikelihoods()[number]).isEqualTo(-number);
    assertThat(all.mapBytes()[number]).isEqualTo(1000L * number);
  }

  @Test
  void thoseOfAllPartitionsComeInTheOrderOfTheParticles() {
    ParticleWeights all = ParticleWeights.merge(4, List.of(of(7, 30, 1, 3), of(7, 12, 0, 2)));

    assertThat(all.sequence()).isEqualTo(7);
    assertThat(all.evaluations()).isEqualTo(42);
    for (int number = 0; number < 4; number++) {
      assertBelieves(all, number);
    }
  }

  @Test
  void refusesParticlesThatAreMissingOrDoubledAndStepsThatDiffer() {
    assertThatThrownBy(() -> ParticleWeights.merge(3, List.of(of(7, 1, 0), of(7, 1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weights of 2 particles; 3 are needed");
    assertThatThrownBy(() -> ParticleWeights.merge(2, List.of(of(7, 1, 0), of(7, 1, 0, 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("particle 0 of 2 is doubled or does not exist");
    assertThatThrownBy(() -> ParticleWeights.merge(2, List.of(of(7, 1, 0), of(7, 1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("particle 2 of 2 is doubled or does not exist");
    assertThatThrownBy(() -> ParticleWeights.merge(2, List.of(of(7, 1, 0), of(8, 1, 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weights of readings 7 and 8 do not go together");
  }
}
