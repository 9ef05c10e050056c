package org.cartostream.topology.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

  /** The robot's latest run; null if there is none. */
  public Run latest(String robot) {
    Entry<S> entry = robots.get(robot);
    return entry == null ? null : entry.run();
  }

  /** The epoch of the robot's latest run; 0 if there is none. */
  public long latestEpoch(String robot) {
    Entry<S> entry = robots.get(robot);
    return entry == null ? 0 : entry.run().epoch();
  }

  /** Puts a state in the place of the run's, or of an earlier run's. */
  public void replace(Run run, S state) {
    Entry<S> entry = robots.get(run.robot());
    if (entry == null || entry.run().epoch() <= run.epoch()) {
      robots.put(run.robot(), new Entry<>(run, state));
    }
  }

  /** One of the runs; empty if there is none. */
  public Optional<Run> any() {
    return robots.values().stream().map(Entry::run).findFirst();
  }

  /** Returns the runs of which there is a state. */
  public List<Run> runs() {
    return robots.values().stream().filter(entry -> entry.state() != null).map(Entry::run).toList();
  }

  /** The states of all robots. */
  public List<S> all() {
    return robots.values().stream().map(Entry::state).filter(Objects::nonNull).toList();
  }

  /** Lets go of the run's state. */
  public void end(Run run) {
    Entry<S> entry = robots.get(run.robot());
    if (entry != null && entry.run().equals(run)) {
      robots.remove(run.robot());
    }
  }
}
