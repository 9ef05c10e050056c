package org.cartostream.bench.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class CollectiveCostTest {

  @Test
  void takesTheLongestCallOfAnOperationAndTheMedianOverOperations() {
    CollectiveCost.Times times = new CollectiveCost.Times(Implementation.MEMORY, 2);
    times.add(
        List.of(
            List.of("ALL_GATHER FLAT 500 2000 300 1000 5000 9000"),
            List.of("ALL_GATHER FLAT 500 7777 300 3000 4000 2000")));

    CollectiveCost collectiveCost = times.figures().get(0);
    assertThat(collectiveCost.aloneMicros()).isEqualTo(5);
    assertThat(collectiveCost.rowMicros()).isEqualTo(2);
    assertThat(collectiveCost.megabytesPerSecond()).isEqualTo(2 * 500 / 2.0);
  }
}
