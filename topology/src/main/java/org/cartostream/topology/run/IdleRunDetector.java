package org.cartostream.topology.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Shows a task which runs nobody speaks of any more, so that it can let go of them. The dispatcher
 * ends its runs itself; but when it dies, its successor learns only of those whose robots speak
 * again.
 *
 * <p>It counts a task's ticks and not time: ticks wait in the same queue as words do, so a task
 * that was busy or stopped for long does not take for silence what only waits for it.
 *
 * <p>Owns the number of ticks since the latest word of each run.
 */
public final class IdleRunDetector {

  private final long most;
  private final Map<Run, Long> ticks = new HashMap<>();

  /** Later than the dispatcher, which speaks of each run that it has several times meanwhile. */
  public IdleRunDetector(TopologySettings settings) {
    long seconds = 2L * settings.robotTimeoutSeconds() + settings.readingTimeoutSeconds();
    this.most = seconds / PauseTolerantClock.TICK_SECONDS;
  }

  /** Somebody has spoken of a run. */
  public void recordMessage(Run run) {
    ticks.put(run, 0L);
  }

  /** How many ticks ago somebody has spoken of a run. */
  public long ticksSince(Run run) {
    return ticks.getOrDefault(run, 0L);
  }

  /** It is heard here for the first time of a run of which nobody has spoken for so many ticks. */
  public void recordRun(Run run, long since) {
    ticks.putIfAbsent(run, since);
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
          if (count > most) {
            silent.add(run);
          }
        });
    silent.forEach(ticks::remove);
    return silent;
  }
}
