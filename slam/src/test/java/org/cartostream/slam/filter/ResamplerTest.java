package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.slam.config.Settings;
import org.junit.jupiter.api.Test;

class ResamplerTest {

  private static FilterSettings settings(int particles) {
    return Settings.build(
        FilterSettings.class, Map.of("particles", Integer.toString(particles), "weightShare", "1"));
  }

  private static Beliefs beliefs(long sequence, double... logLikelihoods) {
    int count = logLikelihoods.length;
    int[] numbers = IntStream.range(0, count).toArray();
    double[] zeros = new double[count];
    return new Beliefs(sequence, numbers, zeros, zeros, zeros, logLikelihoods, new long[count], 0);
  }

  @Test
  void effectiveSampleSizeIsTheOneWorkedOutByHand() {
    // Weights 3/6, 2/6, 1/6, 0/6: 1 / (9 + 4 + 1) * 36.
    Resampling resampling =
        new Resampler(settings(4), "robot")
            .resample(beliefs(1, Math.log(3), Math.log(2), 0, -1000));

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
    FilterSettings settings =
        Settings.build(
            FilterSettings.class,
            Map.of("particles", "2", "weightShare", "1", "resampleBelow", resampleBelow));
    return new Resampler(settings, "robot").resample(beliefs(1, 0, logOfTheSecond));
  }

  @Property
  void eachParticleGetsTheCopiesThatItsWeightAsksForToWithinOne(@ForAll long seed) {
    Random random = new Random(seed);
    int count = 2 + random.nextInt(50);
    double[] logs = random.doubles(count, -8, 0).toArray();
    double sum = Arrays.stream(logs).map(Math::exp).sum();

    Resampling resampling = new Resampler(settings(count), "robot").resample(beliefs(1, logs));

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

    assertThat(resampler.resample(beliefs(1, step, 0)).effectiveSampleSize())
        .isCloseTo(9 / 5.0, within(1e-12));
    assertThat(resampler.resample(beliefs(2, step, 0)).effectiveSampleSize())
        .isCloseTo(25 / 17.0, within(1e-12));
  }

  @Test
  void weightsStartAfreshAfterResampling() {
    Resampler resampler = new Resampler(settings(4), "robot");

    assertThat(resampler.resample(beliefs(1, 50, 0, 0, 0)).resampled()).isTrue();
    assertThat(resampler.resample(beliefs(2, 0, 0, 0, 0)).effectiveSampleSize()).isEqualTo(4);
  }

  @Test
  void mergesPartsInTheOrderOfTheParticles() {
    double[] three = {3, 3};
    Beliefs odd =
        new Beliefs(
            5, new int[] {1, 3}, three, three, three, new double[] {10, 30}, new long[2], 7);
    Beliefs even =
        new Beliefs(5, new int[] {0, 2}, three, three, three, new double[] {0, 20}, new long[2], 8);

    Beliefs all = Beliefs.merge(4, List.of(odd, even));

    assertThat(all.logLikelihoods()).containsExactly(0, 10, 20, 30);
    assertThat(all.evaluations()).isEqualTo(15);
  }

  @Test
  void refusesToMergeWhatDoesNotMakeAWhole() {
    assertThatThrownBy(() -> Beliefs.merge(3, List.of(beliefs(1, 0, 0))))
        .hasMessageContaining("beliefs of 2 particles; 3 are needed");
    assertThatThrownBy(() -> Beliefs.merge(2, List.of(beliefs(1, 0, 0), beliefs(1, 0, 0))))
        .hasMessageContaining("particle 0 of 2 is doubled");
    assertThatThrownBy(() -> Beliefs.merge(2, List.of(beliefs(1, 0), beliefs(2, 0))))
        .hasMessageContaining("readings 1 and 2");
  }

  @Test
  void movesNameEachParentOncePerTarget() {
    int[] parents = {0, 0, 0, 3, 3};
    int[] before = {0, 0, 1, 1, 1};
    int[] after = {0, 1, 1, 1, 0};

    List<Move> moves = Move.between(parents, before, after);

    assertThat(moves).hasSize(2);
    assertThat(moves.get(0))
        .usingRecursiveComparison()
        .isEqualTo(new Move(0, 0, 1, new int[] {1, 2}));
    assertThat(moves.get(1)).usingRecursiveComparison().isEqualTo(new Move(3, 1, 0, new int[] {4}));
  }
}
