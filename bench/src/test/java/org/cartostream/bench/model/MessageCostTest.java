package org.cartostream.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cartostream.bench.collectives.CollectiveCase;
import org.cartostream.bench.collectives.CollectiveCost;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.bench.sequential.TaskTimings;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;
import org.junit.jupiter.api.Test;

class MessageCostTest {

  private static ReadingTimes turn(long intake, long decide, long... each) {
    return new ReadingTimes(
        intake, true, each, each, true, decide, each, each, 2, 10, false, List.of());
  }

  @Test
  void theLeastOfEachTimeCounts() {
    ReadingTimes least =
        TaskTimings.minimum(List.of(turn(5, 1, 10, 20)), List.of(turn(3, 2, 15, 12))).get(0);

    assertThat(least.intakeNanos()).isEqualTo(3);
    assertThat(least.decideNanos()).isEqualTo(1);
    assertThat(least.matchNanos()).containsExactly(10, 12);
    assertThat(least.computeNanos(1)).isEqualTo(4 * 12);
    assertThat(ServiceModel.serialNanos(List.of(least))).isEqualTo(3 + 2 + 1 + 4 * (10 + 12));
    assertThat(ServiceModel.slowestComputeNanos(List.of(least))).isEqualTo(4 * 12);
  }

  @Test
  void rehearsalsOfOtherReadingsAreNotCompared() {
    assertThatThrownBy(() -> TaskTimings.minimum(List.of(turn(1, 1, 1)), List.of()))
        .hasMessageContaining("1 and 0 readings");
  }

  private static CollectiveCost broadcast(int bytes, double aloneMicros, double rowMicros) {
    CollectiveCase collectiveCase =
        new CollectiveCase(Operation.BROADCAST, Algorithm.FLAT, CompletionMode.ALONE, bytes);
    return new CollectiveCost(
        Implementation.MEMORY,
        2,
        collectiveCase,
        aloneMicros,
        aloneMicros,
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
