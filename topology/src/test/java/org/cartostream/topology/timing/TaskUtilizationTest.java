package org.cartostream.topology.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TaskUtilizationTest {

  /**
   * Matches from 0 to 10, after 5 before; registers until 12, matches the next one until 13, waits
   * until 14, sends until 16, waits until 21, registers the rest until 25.
   */
  private static final KeyFrameTiming FIRST =
      new KeyFrameTiming(0, 3, 5, 0, 10, 2, 12, 1, 14, 16, 21, 25, 7);

  /** Matches from 2 to 12, waits until 15, has nothing to send or get, registers until 18. */
  private static final KeyFrameTiming SECOND =
      new KeyFrameTiming(1, 2, 0, 2, 12, 0, 12, 0, 15, 15, 15, 18, 0);

  @Test
  void nobodyComputesWhileAllWait() {
    // From 13 to 14 before the verdict, from 18 to 21 for the particles, and from 25 on.
    assertThat(TaskUtilization.idleNanos(0, 30, new KeyFrameTiming[] {FIRST, SECOND}))
        .isEqualTo(1 + 3 + 5);
    assertThat(TaskUtilization.idleNanos(0, 25, new KeyFrameTiming[] {SECOND, FIRST}))
        .isEqualTo(1 + 3);
  }

  @Test
  void whatWasComputedBeforeTheKeyFramesTurnDoesNotCount() {
    assertThat(TaskUtilization.idleNanos(11, 25, new KeyFrameTiming[] {FIRST, SECOND}))
        .isEqualTo(1 + 3);
    assertThat(TaskUtilization.idleNanos(13, 25, new KeyFrameTiming[] {FIRST, SECOND}))
        .isEqualTo(1 + 3);
    assertThat(TaskUtilization.idleNanos(25, 25, new KeyFrameTiming[] {FIRST, SECOND})).isZero();
  }

  @Test
  void theSlowestOfEachKeyFrameCountsOverTheMeanOfAll() {
    TaskUtilization sheet = new TaskUtilization(2, true);
    sheet.keyFrame(0, 25, new KeyFrameTiming[] {SECOND, FIRST});
    sheet.decided(2);

    TaskBalance team = sheet.teamwork();
    assertThat(team.keyFrames()).isEqualTo(1);
    assertThat(team.computeNanos()).containsExactly(5L + 10 + 2 + 2 + 4, 10L + 3);
    assertThat(team.particles()).containsExactly(3, 2);
    assertThat(team.slowestNanos()).isEqualTo(23);
    assertThat(team.slowestOverMean()).isCloseTo(23 / 18.0, within(1e-12));
    assertThat(team.wallNanos()).isEqualTo(25);
    assertThat(team.idleP50Nanos()).isEqualTo(4);
    assertThat(team.decideNanos()).isEqualTo(2);
  }

  @Test
  void aKeyFrameBeginsWhereTheOneBeforeEndedOrWhenItCame() {
    TaskUtilization sheet = new TaskUtilization(1, true);
    sheet.keyFrame(0, 25, new KeyFrameTiming[] {FIRST});
    sheet.keyFrame(
        1,
        10,
        new KeyFrameTiming[] {new KeyFrameTiming(0, 3, 0, 26, 30, 0, 30, 0, 30, 30, 30, 35, 0)});
    sheet.keyFrame(
        40,
        10,
        new KeyFrameTiming[] {new KeyFrameTiming(0, 3, 0, 42, 45, 0, 45, 0, 45, 45, 45, 50, 0)});

    assertThat(sheet.teamwork().wallNanos()).isEqualTo(25 + 10 + 10);
  }

  @Test
  void momentsOfSeveralProcessesAreNotCompared() {
    TaskUtilization sheet = new TaskUtilization(2, false);
    sheet.keyFrame(1000, 30, new KeyFrameTiming[] {FIRST, SECOND});

    assertThat(sheet.teamwork().wallNanos()).isEqualTo(30);
    assertThat(sheet.teamwork().idleP50Nanos()).isZero();
  }
}
