package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class CheckpointPaceTest {

  /** Clocks have any origin, and go on beyond the largest number. */
  private static final long START = Long.MAX_VALUE - seconds(5);

  private final CheckpointPace pace = new CheckpointPace(CheckpointSettings.every(7));

  private static long seconds(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  private void assertDueFirst(long begun, double seconds) {
    assertThat(pace.isDue(begun + seconds(seconds) - 1)).isFalse();
    assertThat(pace.isDue(begun + seconds(seconds))).isTrue();
  }

  @Test
  void oneThatTakesLittleIsDueEachTimeThatTheSettingsName() {
    pace.begin(START);
    assertDueFirst(START, 7);
    pace.begin(START + seconds(8));
    pace.encoded(seconds(0.175));
    assertDueFirst(START + seconds(8), 7);
  }

  @Test
  void oneThatTakesLongTakesAFortiethOfTheTimeOfTheTaskThatIsSlowest() {
    pace.begin(START);
    pace.encoded(seconds(0.5));
    pace.encoded(seconds(2));
    pace.encoded(seconds(1));
    assertDueFirst(START, 80);
  }

  @Test
  void oneThatTakesLessThanTheOneBeforeIsDueSooner() {
    pace.begin(START);
    pace.encoded(seconds(2));
    pace.begin(START + seconds(80));
    pace.encoded(seconds(1));
    assertDueFirst(START + seconds(80), 40);
  }

  @Test
  void noneIsDueWhereTheSettingsWantNone() {
    CheckpointPace none = new CheckpointPace(CheckpointSettings.every(0));
    none.begin(START);
    assertThat(none.isDue(START + seconds(1e6))).isFalse();
  }
}
