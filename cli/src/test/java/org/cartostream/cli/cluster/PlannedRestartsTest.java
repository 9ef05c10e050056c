package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PlannedRestartsTest {

  private final StringWriter said = new StringWriter();
  private final List<Long> slept = new ArrayList<>();
  private int restarts;

  /** Restarts that fail as {@code failures} has it, until it was slept so often. */
  private void goOn(int sleeps, List<Integer> failures, Exception how) {
    PlannedRestarts.Restart restart =
        () -> {
          if (failures.contains(++restarts)) {
            if (how instanceof IOException e) {
              throw e;
            }
            throw (ExitException) how;
          }
          return restarts;
        };
    PlannedRestarts.Sleep sleep =
        time -> {
          slept.add(time.toSeconds());
          if (slept.size() == sleeps) {
            throw new InterruptedException("Ctrl-C");
          }
        };
    PlannedRestarts planned = new PlannedRestarts("mine", Duration.ofHours(24), restart, sleep);
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> planned.goOn(new PrintWriter(said)));
  }

  @Test
  void oneThatFailsIsSaidAndTriedAgainUntilItSucceeds() {
    goOn(5, List.of(2, 3), ExitException.failed("the cluster has 0 free slots of 2"));

    assertThat(said.toString().lines())
        .containsExactly(
            "mine takes readings again, after 1.0 s",
            "mine was not restarted, and may be down: the cluster has 0 free slots of 2; tried"
                + " again in 10 s",
            "mine was not restarted, and may be down: the cluster has 0 free slots of 2; tried"
                + " again in 20 s",
            "mine takes readings again, after 4.0 s",
            "mine takes readings again, after 5.0 s");
    assertThat(slept).containsExactly(86_400L, 10L, 20L, 86_400L, 86_400L);
  }

  @Test
  void itIsTriedEachFiveMinutesAtLeast() {
    goOn(8, List.of(1, 2, 3, 4, 5, 6, 7, 8), new IOException("No space left on device"));

    assertThat(slept).containsExactly(10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
    assertThat(said.toString()).contains("may be down: No space left on device; tried again");
  }
}
