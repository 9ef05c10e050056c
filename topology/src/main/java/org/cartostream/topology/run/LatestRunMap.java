package org.cartostream.topology.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A map from each robot to the state of its latest run, and of no other. So what arrives late of an
 * older run finds nothing, and nothing of it stays.
 *
 * @param <S> the state of a run
 */
public final class LatestRunMap<S> {

  private record Entry<S>(Run run, S state) {}

  private final Map<String, Entry<S>> robots = new HashMap<>();

  /** The run's state; null if it has none here (any more). */
  public S get(Run run) {
    Entry<S> entry = robots.get(run.robot());
    return entry != null && entry.run().equals(run) ? entry.state() : null;
  }

  /**
   * The run's state, made by {@code beginning} unless it is there; it replaces that of an earlier
   * run. Null if a later run has begun.
   */
  public S begin(Run run, Function<Run, S> beginning) {
    Entry<S> entry = robots.get(run.robot());
    if (entry == null || entry.run().order() < run.order()) {
      entry = new Entry<>(run, beginning.apply(run));
      robots.put(run.robot(), entry);
    }
    return entry.run().equals(run) ? entry.state() : null;
  }

  /** The state of the robot's latest run so far, whichever that is; null if there is none. */
  public S ofRobot(String robot) {
    Entry<S> entry = robots.get(robot);
    return entry == null ? null : entry.state();
  }

  /** A run with the order by which this task knows it; as it was given if it has nothing of it. */
  public Run known(Run run) {
    Entry<S> entry = robots.get(run.robot());
    return entry != null && entry.run().isSameAs(run) ? entry.run() : run;
  }

  /** Puts another state in the place of the run's, or of an earlier run's. */
  public void replace(Run run, S state) {
    Entry<S> entry = robots.get(run.robot());
    if (entry == null || entry.run().order() <= run.order()) {
      robots.put(run.robot(), new Entry<>(run, state));
    }
  }

  /** The states of all robots. */
  public List<S> all() {
    return robots.values().stream().map(Entry::state).toList();
  }

  /** Lets go of the run's state. */
  public void end(Run run) {
    Entry<S> entry = robots.get(run.robot());
    if (entry != null && entry.run().equals(run)) {
      robots.remove(run.robot());
    }
  }
}
