package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.exit.ExitException;

/**
 * Restarts a service again and again. A restart that fails may have left the service down: it is
 * said, and tried again soon, later each time, until it succeeds.
 *
 * @param name of the service
 * @param every from the end of one to the next
 * @param restart does it
 * @param sleep waits
 */
record PlannedRestarts(String name, Duration every, Restart restart, Sleep sleep) {

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** Restarts the service. */
  interface Restart {

    /**
     * @return for how many seconds it took no readings
     */
    double restart() throws NimbusException, IOException;
  }

  /** Waits. */
  interface Sleep {
    void sleep(Duration time) throws InterruptedException;
  }

  /** Goes on until the thread is interrupted. */
  void goOn(PrintWriter out) throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        say(out, "takes readings again, after %.1f s".formatted(restart.restart()));
        pause = FIRST_PAUSE;
        sleep.sleep(every);
      } catch (NimbusException | IOException | ExitException | ClusterException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException(e.getMessage());
        }
        say(
            out,
            "was not restarted, and may be down: %s; tried again in %d s"
                .formatted(e.getMessage(), pause.toSeconds()));
        sleep.sleep(pause);
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
      }
    }
  }

  private void say(PrintWriter out, String sentence) {
    out.printf(Locale.ROOT, "%s %s%n", name, sentence);
    out.flush();
  }
}
