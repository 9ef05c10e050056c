package org.cartostream.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.bench.collectives.CollectiveCase;
import org.cartostream.bench.collectives.CollectiveCost;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MessageCostTest {

  private static CollectiveCost broadcast(int bytes, double aloneMicros, double rowMicros) {
    CollectiveCase collectiveCase = new CollectiveCase(Operation.BROADCAST, Algorithm.FLAT, bytes);
    return new CollectiveCost(
        Implementation.MEMORY,
        2,
        collectiveCase,
        aloneMicros,
        aloneMicros,
        rowMicros,
        rowMicros,
        rowMicros,
        rowMicros);
  }

  /** 50 us alone are 2 x 10 us of work, as often as one comes in a row, and 30 us on the way. */
  @Test
  void aMessageCostsWorkAtBothEndsAndTimeOnTheWay() {
    MessageCost cost = MessageCost.of(broadcast(100, 50, 10), broadcast(10_100, 70, 15));

    assertThat(cost.overheadNanos()).isEqualTo(10_000);
    assertThat(cost.latencyNanos()).isEqualTo(30_000);
    assertThat(cost.nanosPerByte()).isEqualTo(2);
    assertThat(cost.wayNanos(500)).isEqualTo(31_000);
  }
}
