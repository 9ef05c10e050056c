package org.cartostream.topology.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

@Quick
class IdleRunDetectorTest {

  private static final Run ONE = new Run("r1", 7, 1);
  private static final Run OTHER = new Run("r2", 8, 2);

  /** Twice ten seconds, and three. */
  private static final int MAX = 23;

  private final IdleRunDetector idleRunDetector =
      new IdleRunDetector(
          Settings.build(
              TopologySettings.class,
              Map.of("robotTimeoutSeconds", "10", "readingTimeoutSeconds", "3")));

  @Test
  void namesOnceEachRunThatWasNotSpokenOfForLong() {
    idleRunDetector.recordMessage(ONE);
    for (int second = 0; second < MAX; second++) {
      idleRunDetector.recordMessage(OTHER);
      assertThat(idleRunDetector.tick()).isEmpty();
    }
    assertThat(idleRunDetector.tick()).containsExactly(ONE);
    for (int second = 2; second < MAX; second++) {
      assertThat(idleRunDetector.tick()).isEmpty();
    }
    assertThat(idleRunDetector.tick()).containsExactly(OTHER);
  }

  @Test
  void countsARunThatIsSpokenOfAgainFromAnew() {
    idleRunDetector.recordMessage(ONE);
    for (int second = 0; second <= MAX; second++) {
      idleRunDetector.tick();
    }
    idleRunDetector.recordMessage(ONE);
    assertThat(idleRunDetector.tick()).isEmpty();
  }
}
