package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.slam.config.Settings;
import org.junit.jupiter.api.Test;

class SilenceTest {

  private static final Run ONE = new Run("r1", 7, 1);
  private static final Run OTHER = new Run("r2", 8, 2);

  /** Twice ten seconds, and three. */
  private static final int MOST = 23;

  private final Silence silence =
      new Silence(
          Settings.build(
              TopologySettings.class,
              Map.of("robotTimeoutSeconds", "10", "readingTimeoutSeconds", "3")));

  @Test
  void namesOnceEachRunThatWasNotSpokenOfForLong() {
    silence.heard(ONE);
    for (int second = 0; second < MOST; second++) {
      silence.heard(OTHER);
      assertThat(silence.tick()).isEmpty();
    }
    assertThat(silence.tick()).containsExactly(ONE);
    for (int second = 2; second < MOST; second++) {
      assertThat(silence.tick()).isEmpty();
    }
    assertThat(silence.tick()).containsExactly(OTHER);
  }

  @Test
  void countsARunThatIsSpokenOfAgainFromAnew() {
    silence.heard(ONE);
    for (int second = 0; second <= MOST; second++) {
      silence.tick();
    }
    silence.heard(ONE);
    assertThat(silence.tick()).isEmpty();
  }
}
