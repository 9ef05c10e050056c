package org.cartostream.bench.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TaskTimingsTest {

  private static ReadingTimes turn(long intake, long decide, long... each) {
    return new ReadingTimes(
        intake, true, each, each, true, decide, each, each, 2, 10, false, List.of());
  }

  @Test
  void theLeastOfEachTimeCounts() {
    ReadingTimes min =
        TaskTimings.minimum(List.of(turn(5, 1, 10, 20)), List.of(turn(3, 2, 15, 12))).get(0);

    assertThat(min.intakeNanos()).isEqualTo(3);
    assertThat(min.decideNanos()).isEqualTo(1);
    assertThat(min.matchNanos()).containsExactly(10, 12);
    assertThat(min.computeNanos(1)).isEqualTo(4 * 12);
    assertThat(TaskTimings.serialNanos(List.of(min))).isEqualTo(3 + 2 + 1 + 4 * (10 + 12));
    assertThat(TaskTimings.slowestComputeNanos(List.of(min))).isEqualTo(4 * 12);
  }

  @Test
  void passesOverOtherReadingsAreNotCompared() {
    assertThatThrownBy(() -> TaskTimings.minimum(List.of(turn(1, 1, 1)), List.of()))
        .hasMessageContaining("1 and 0 readings");
  }
}
