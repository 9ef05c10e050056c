package org.cartostream.topology.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

@Quick
class HeapWatchdogTest {

  private static final TopologySettings SETTINGS = Settings.defaults(TopologySettings.class);

  private long seconds = 5;
  private double gcSeconds = 7;
  private double used = 0.9;

  private final HeapWatchdog watchdog =
      new HeapWatchdog(
          () -> TimeUnit.SECONDS.toNanos(seconds),
          () -> new HeapWatchdog.HeapUse((long) (gcSeconds * 1e9), used));

  /** Of each second collections take a share; two tasks look. */
  private Optional<String> pass(int count, double gcShare) {
    Optional<String> latest = Optional.empty();
    for (int second = 0; second < count && latest.isEmpty(); second++) {
      seconds++;
      gcSeconds += gcShare;
      latest = watchdog.look(SETTINGS).or(() -> watchdog.look(SETTINGS));
    }
    return latest;
  }

  @Test
  void reportsAHeapThatIsFullWhileMuchTimeGoesIntoCollections() {
    assertThat(pass(10, 0.8)).isEmpty();
    assertThat(pass(3, 0.8))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).contains("took 80 % of 10 s").contains("left 90 %"));
    assertThat(pass(10, 0.8)).as("what is done about it takes time").isEmpty();
    assertThat(pass(3, 0.8)).isPresent();
  }

  @Test
  void aFullHeapThatIsRarelyCollectedDoesNotCount() {
    assertThat(pass(60, 0.1)).isEmpty();
  }

  @Test
  void manyCollectionsThatFreeTheHeapDoNotCount() {
    used = 0.5;
    assertThat(pass(60, 0.9)).isEmpty();
  }

  @Test
  void whatTheProcessDidBeforeDoesNotCount() {
    gcSeconds = 1000;
    assertThat(pass(60, 0)).isEmpty();
  }
}
