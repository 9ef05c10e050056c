package org.cartostream.slam.particle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.AdaptiveSettings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class KldSamplingTest {

  private static final AdaptiveSettings TENTHS =
      Settings.build(
          AdaptiveSettings.class,
          Map.of(
              "minParticles", "5",
              "kldError", "0.1",
              "binMetres", "0.1",
              "binRadians", "0.1"));

  /**
   * Half the chi-square quantile over the error (equation 6 of the paper), with the quantile of a
   * printed table, which the transformation meets within one per cent.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 0.1, 6.635",
    "3, 0.1, 9.210",
    "6, 0.05, 15.086",
    "11, 0.1, 23.209",
    "31, 0.01, 50.892",
    "101, 0.2, 135.807"
  })
  void theBoundIsTheQuantileOfChiSquare(int bins, double error, double quantileOf99) {
    assertThat(KldSampling.bound(bins, error, 2.326))
        .isCloseTo(quantileOf99 / (2 * error), withinPercentage(1));
  }

  private static ParticleWeights at(double... x) {
    int[] numbers = IntStream.range(0, x.length).toArray();
    double[] zeros = new double[x.length];
    return new ParticleWeights(1, numbers, x, zeros, zeros, zeros, new long[x.length], 0, 0, false);
  }

  private static int needed(double... x) {
    return KldSampling.needed(at(x), IntStream.range(0, x.length).toArray(), TENTHS);
  }

  @Test
  void asFewAsMayBeAreEnoughInOnePlace() {
    assertThat(needed(new double[300])).isEqualTo(5);
  }

  @Test
  void twoPlacesNeedAsManyAsTheBoundSays() {
    double[] x = new double[300];
    x[7] = 0.11;
    assertThat(needed(x)).isEqualTo(33);
  }

  /** Only where particles go on counts, however often. */
  @Test
  void whereNoParticleGoesOnDoesNotCount() {
    double[] x = new double[300];
    x[7] = 0.11;
    assertThat(KldSampling.needed(at(x), new int[300], TENTHS)).isEqualTo(5);
  }

  @Test
  void widelySpreadOnesAreAllNeeded() {
    long seed = 4;
    double[] x = new Random(seed).doubles(300, -50, 50).toArray();
    assertThat(needed(x)).as("seed %d", seed).isEqualTo(300);
  }

  /** The number falls where the weights fall on one place, and comes back where they spread. */
  @Test
  void theResamplerHasAsManyAsAreNeeded() {
    FilterSettings settings =
        Settings.build(
            FilterSettings.class,
            Map.of(
                "particles", "60",
                "weightShare", "1",
                "resampleBelow", "0.9",
                "adaptive.minParticles", "5",
                "adaptive.kldError", "0.1",
                "adaptive.binMetres", "0.1"));
    Resampler resampler = new Resampler(settings, "robot");
    ParticleWeights spread = at(IntStream.range(0, 60).mapToDouble(i -> i).toArray());
    for (int i = 8; i < 60; i++) {
      spread.x()[i] = 0;
      spread.logLikelihoods()[i] = i == 20 ? 30 : 0;
    }
    Resampling narrow = resampler.resample(spread);
    assertThat(narrow.parents()).hasSize(5).containsOnly(20);
    assertThat(narrow.best()).isEqualTo(20);

    ParticleWeights five = at(0, 1, 2, 3, 4);
    five.logLikelihoods()[0] = 2;
    Resampling wide = resampler.resample(five);
    assertThat(wide.resampled()).isTrue();
    assertThat(wide.parents()).hasSize(60).contains(0, 1, 2, 3, 4);
  }
}
