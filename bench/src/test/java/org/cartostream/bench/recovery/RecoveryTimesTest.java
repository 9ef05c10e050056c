package org.cartostream.bench.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RecoveryTimesTest {

  private static final long KILLED = Instant.parse("2026-11-25T23:36:02Z").toEpochMilli();

  private static String line(String time, String words) {
    return "2026-11-25T23:%sZ INFO  robot=office [Thread-16] o.c.t.Admission: robot office, run 6f9f%s"
        .formatted(time, words);
  }

  @Test
  void ofADispatcherThatLives() {
    List<String> log =
        List.of(
            line("35:48.912", " begins"),
            line("36:42.063", ": restored from reading 120 on, and 2 readings repeated: why"),
            "\tat some.place.of.a.Trace",
            line("36:04.192", ": restored from reading 99 on, and 37 readings repeated: why"),
            line("36:04.200", ": restored at reading 99 after 8 ms"));
    assertThat(RecoveryTimes.find(log, KILLED))
        .contains(new RecoveryTimes(KILLED + 2192, 99, Optional.of(KILLED + 2200)));
  }

  @Test
  void ofADispatcherThatIsStartedAnew() {
    List<String> log =
        List.of(
            line("36:04.192", " begins"),
            line("36:04.424", " goes on from its checkpoint at reading 153"));
    assertThat(RecoveryTimes.find(log, KILLED))
        .contains(new RecoveryTimes(KILLED + 2192, 153, Optional.empty()));
  }

  @Test
  void ofOneThatFindsNoCheckpoint() {
    List<String> log =
        List.of(
            line("36:04.192", " begins"),
            line("36:44.424", ": restored from reading 12 on, and 3 readings repeated: why"));
    assertThat(RecoveryTimes.find(log, KILLED).map(RecoveryTimes::reading)).contains(0);
  }

  @Test
  void ofNone() {
    assertThat(RecoveryTimes.find(List.of(line("36:01.000", " begins")), KILLED)).isEmpty();
  }
}
