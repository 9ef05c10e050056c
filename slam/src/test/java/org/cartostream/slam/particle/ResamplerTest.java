package org.cartostream.slam.particle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ResamplerTest {

  private static FilterSettings settings(int particles) {
    return settings(particles, "resampleBelow", "0.35");
  }

  private static FilterSettings settings(int particles, String key, String value) {
    return Settings.build(
        FilterSettings.class,
        Map.of("particles", Integer.toString(particles), "weightShare", "1", key, value));
  }

  private static ParticleWeights weights(long sequence, double... logLikelihoods) {
    int count = logLikelihoods.length;
    int[] numbers = IntStream.range(0, count).toArray();
    double[] zeros = new double[count];
    return new ParticleWeights(
        sequence, numbers, zeros, zeros, zeros, logLikelihoods, new long[count], 0, 0, false);
  }

  @Test
  void effectiveSampleSizeIsTheOneWorkedOutByHand() {
    // Weights 3/6, 2/6, 1/6, 0/6: 1 / (9 + 4 + 1) * 36.
    Resampling resampling =
        new Resampler(settings(4), "robot")
            .resample(weights(1, Math.log(3), Math.log(2), 0, -1000));

    assertThat(resampling.effectiveSampleSize()).isCloseTo(36 / 14.0, within(1e-12));
    double entropy = Math.log(2) / 2 + Math.log(3) / 3 + Math.log(6) / 6;
    assertThat(resampling.entropy()).isCloseTo(entropy, within(1e-12));
    assertThat(resampling.resampled()).isFalse();
    assertThat(resampling.parents()).containsExactly(0, 1, 2, 3);
    assertThat(resampling.best()).isZero();
  }

  /** Neff is 1 at least, and 0.35 of their number 0.7. */
  @Test
  void twoParticlesAreResampledWhenOneHasNearlyAllWeight() {
    assertThat(two("0.35", -2).resampled()).as("weights 0.88 and 0.12").isFalse();
    assertThat(two("0.35", -4).resampled()).as("weights 0.98 and 0.02").isTrue();
    assertThat(two("0", -4).resampled()).as("never").isFalse();
  }

  private static Resampling two(String resampleBelow, double logOfTheSecond) {
    return new Resampler(settings(2, "resampleBelow", resampleBelow), "robot")
        .resample(weights(1, 0, logOfTheSecond));
  }

  @Property
  void eachParticleGetsTheCopiesThatItsWeightAsksForToWithinOne(@ForAll long seed) {
    Random random = new Random(seed);
    int count = 2 + random.nextInt(50);
    double[] logs = random.doubles(count, -8, 0).toArray();
    double sum = Arrays.stream(logs).map(Math::exp).sum();

    Resampling resampling = new Resampler(settings(count), "robot").resample(weights(1, logs));

    if (resampling.resampled()) {
      int[] copies = new int[count];
      Arrays.stream(resampling.parents()).forEach(parent -> copies[parent]++);
      for (int i = 0; i < count; i++) {
        assertThat((double) copies[i]).isCloseTo(count * Math.exp(logs[i]) / sum, within(1 + 1e-9));
      }
      assertThat(resampling.parents()).contains(resampling.best()).isSorted();
    }
  }

  @Test
  void likelihoodsAddUpUntilParticlesAreResampled() {
    Resampler resampler = new Resampler(settings(2), "robot");
    double step = Math.log(2);

    assertThat(resampler.resample(weights(1, step, 0)).effectiveSampleSize())
        .isCloseTo(9 / 5.0, within(1e-12));
    assertThat(resampler.resample(weights(2, step, 0)).effectiveSampleSize())
        .isCloseTo(25 / 17.0, within(1e-12));
  }

  @Test
  void weightsStartAfreshAfterResampling() {
    Resampler resampler = new Resampler(settings(4), "robot");

    assertThat(resampler.resample(weights(1, 50, 0, 0, 0)).resampled()).isTrue();
    assertThat(resampler.resample(weights(2, 0, 0, 0, 0)).effectiveSampleSize()).isEqualTo(4);
  }

  /**
   * The last has fitted best since the resampling, by 0.5; before, its parent was behind by 1.1.
   */
  @Test
  void theBestIsTheOneWhoseWholePathFitsBest() {
    Resampler resampler = new Resampler(settings(4, "resampleBelow", "0.9"), "robot");
    assertThat(resampler.resample(weights(1, Math.log(3), 0, -1000, -1000)).parents())
        .containsExactly(0, 0, 0, 1);

    Resampling later = resampler.resample(weights(2, 0, 0, 0, 0.5));

    assertThat(later.resampled()).isFalse();
    assertThat(later.best()).isZero();
  }

  /** A particle of a weight of 0.05, of four, has a copy if the offset is a fifth at most. */
  @Property(tries = 50)
  void theOffsetIsThatOfTheFiltersOwnNoise(@ForAll @IntRange(min = 1, max = 1_000_000) int step) {
    double offset = new ParticleRandom(1, "robot", step, -1).uniform();
    double[] logs = {Math.log(0.05), Math.log(0.95), -1000, -1000};
    Resampling resampling =
        new Resampler(settings(4, "resampleBelow", "0.9"), "robot").resample(weights(step, logs));

    assertThat(resampling.resampled()).isTrue();
    int[] expected = offset <= 0.2 ? new int[] {0, 1, 1, 1} : new int[] {1, 1, 1, 1};
    assertThat(resampling.parents()).as("by an offset of %s", offset).isEqualTo(expected);
  }

  @Test
  void particlesAreShownByTheirWeightsAtEvenDistances() {
    assertThat(Resampler.evenly(new double[] {0.5, 0, 0.25, 0.25}, 4)).containsExactly(0, 0, 2, 3);
    assertThat(Resampler.evenly(new double[] {0.3, 0.3, 0.3}, 2))
        .as("weights whose sum is too small give as many")
        .containsExactly(0, 2);
  }
}
