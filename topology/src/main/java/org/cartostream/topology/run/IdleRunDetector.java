package org.cartostream.topology.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Detector of idle runs: those without a message for long, so that a task can release them. The
 * dispatcher ends its runs itself; but when it dies, its successor learns only of those whose
 * robots send again.
 *
 * <p>It counts a task's ticks and not time: ticks wait in the same queue as messages do, so a task
 * that was busy or stopped for long does not take for silence what only waits for it.
 *
 * <p>Owns the number of ticks since the latest message of each run.
 */
public final class IdleRunDetector {

  private final long max;
  private final Map<Run, Long> ticks = new HashMap<>();

  /**
   * Later than the dispatcher, which sends keep-alives of each run that it has several times
   * meanwhile.
   */
  public IdleRunDetector(TopologySettings settings) {
    long seconds = 2L * settings.robotTimeoutSeconds() + settings.readingTimeoutSeconds();
    this.max = seconds / PauseTolerantClock.TICK_SECONDS;
  }

  /** A message of a run has come. */
  public void recordMessage(Run run) {
    ticks.put(run, 0L);
  }

  /**
   * A tick.
   *
   * @return the runs to let go of, each once
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
