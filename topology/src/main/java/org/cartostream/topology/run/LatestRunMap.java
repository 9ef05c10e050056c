package org.cartostream.topology.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A map from each robot to the state of its latest run. Late messages of an older run find no
 * state.
 *
 * @param <S> the state of a run
 */
public final class LatestRunMap<S> {

  private record Entry<S>(Run run, S state) {}

  private final Map<String, Entry<S>> robots = new HashMap<>();

  /** Returns a run's state; null if there is none, or no longer. */
  public S get(Run run) {
    Entry<S> entry = robots.get(run.robot());
    return entry != null && entry.run().equals(run) ? entry.state() : null;
  }

  /** Returns a robot's latest run; null if there is none. */
  public Run latest(String robot) {
    Entry<S> entry = robots.get(robot);
    return entry == null ? null : entry.run();
  }

  /** Returns the epoch of a robot's latest run; 0 if there is none. */
  public long latestEpoch(String robot) {
    Entry<S> entry = robots.get(robot);
    return entry == null ? 0 : entry.run().epoch();
  }

  /**
   * Replaces the state of the run, or of an earlier epoch or run of its robot; does nothing if a
   * later one is here.
   *
   * @param state the new state; null to drop the old one and keep the epoch
   */
  public void replace(Run run, S state) {
    Entry<S> entry = robots.get(run.robot());
    if (entry == null || entry.run().epoch() <= run.epoch()) {
      robots.put(run.robot(), new Entry<>(run, state));
    }
  }

  /** Returns any of the runs; empty if there is none. */
  public Optional<Run> any() {
    return robots.values().stream().map(Entry::run).findFirst();
  }

  /** Returns the runs that have a state. */
  public List<Run> runs() {
    return robots.values().stream().filter(entry -> entry.state() != null).map(Entry::run).toList();
  }

  /** Returns the states of all robots. */
  public List<S> all() {
    return robots.values().stream().map(Entry::state).filter(Objects::nonNull).toList();
  }

  /** Forgets a run, with its state and epoch. */
  public void end(Run run) {
    Entry<S> entry = robots.get(run.robot());
    if (entry != null && entry.run().equals(run)) {
      robots.remove(run.robot());
    }
  }
}
