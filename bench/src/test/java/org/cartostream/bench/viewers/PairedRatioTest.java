package org.cartostream.bench.viewers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PairedRatioTest {

  /** Logarithms 0 and 0.2: mean 0.1, standard error 0.1, and t is 6.314. */
  @Test
  void twoPairsByHand() {
    PairedRatio ratio =
        PairedRatio.of(
            List.of(new PairedRatio.Pair(3, 3), new PairedRatio.Pair(2 * Math.exp(0.2), 2)));
    assertThat(ratio.mean()).isCloseTo(Math.exp(0.1), within(1e-12));
    assertThat(ratio.bound()).isCloseTo(Math.exp(0.1 + 0.6314), within(1e-12));
  }

  /** Of many draws, 95 of 100 bounds lie above what is true. */
  @Test
  void theBoundHoldsNineteenTimesOfTwenty() {
    long seed = 3705;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int draws = 20_000;
    int above = 0;
    for (int draw = 0; draw < draws; draw++) {
      List<PairedRatio.Pair> pairs = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        pairs.add(new PairedRatio.Pair(Math.exp(0.03 + 0.1 * random.nextGaussian()), 1));
      }
      above += PairedRatio.of(pairs).bound() >= Math.exp(0.03) ? 1 : 0;
    }
    assertThat((double) above / draws).isCloseTo(0.95, within(0.01));
  }

  @Test
  void threadsOfTheServiceAreKnownByTheirNames() {
    assertThat(List.of("Thread-31-Matchers-executor[4, 4]", "publisher-maps-7-1", "offload-3-1"))
        .allMatch(ServiceThreads::isOne);
    assertThat(List.of("web-12", "driver of viewed-1a-0", "main", "viewers"))
        .noneMatch(ServiceThreads::isOne);
  }
}
