package org.cartostream.topology.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Detector of idle runs, about which a task has received no message for long, so that the task can
 * forget them. Normally the dispatcher ends runs; but when it dies, its successor learns only of
 * runs whose robots send again.
 *
 * <p>The detector counts a task's ticks instead of time. Ticks wait in the same queue as messages,
 * so a task that was busy or stopped for long does not mistake waiting messages for silence.
 *
 * <p>Owns the number of ticks since the latest message of each run.
 */
public final class IdleRunDetector {

  private final long max;
  private final Map<Run, Long> ticks = new HashMap<>();

  /**
   * Makes a detector that waits for longer than the dispatcher does, which sends several
   * keep-alives of each of its runs within that time.
   */
  public IdleRunDetector(TopologySettings settings) {
    long seconds = 2L * settings.robotTimeoutSeconds() + settings.readingTimeoutSeconds();
    this.max = seconds / PauseTolerantClock.TICK_SECONDS;
  }

  /** Notes that a message about a run has come. */
  public void recordMessage(Run run) {
    ticks.put(run, 0L);
  }

  /**
   * Counts a tick of the task.
   *
   * @return the runs that have become idle, each only once
   */
  public List<Run> tick() {
    ticks.replaceAll((run, count) -> count + 1);
    List<Run> silent = new ArrayList<>();
    ticks.forEach(
        (run, count) -> {
          if (count > max) {
            silent.add(run);
          }
        });
    silent.forEach(ticks::remove);
    return silent;
  }
}
