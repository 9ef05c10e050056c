package org.cartostream.topology.dispatch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;

/**
 * One restore of a run, in an epoch of its own: it tracks the tasks that have loaded their part of
 * the {@link RestorePoint}, and the tasks that were started since the previous restore. The request
 * is repeated every second until all tasks have answered.
 */
final class RestoreRound {

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Run run;

  /** Names of the parts that no task has loaded yet. */
  private final Set<String> missing;

  /** Incarnation of the task that loaded a part last, by the part's name. */
  private final Map<String, Long> incarnations;

  /** Incarnations of tasks that were started since the previous round. */
  private final Set<Long> started = new HashSet<>();

  /** Time of the request by the dispatcher's clock. */
  private long emittedAt;

  /** Latest complaint of a component in this round, for people; empty if there is none. */
  private String complaint = "";

  private RestoreRound(Run run, Set<String> parts, Map<String, Long> incarnations, long now) {
    this.run = run;
    this.missing = new TreeSet<>(parts);
    this.incarnations = incarnations;
    this.emittedAt = now - AGAIN_NANOS;
  }

  /** Returns an empty round, for a run whose restore point is not known yet. */
  static RestoreRound none(Run run) {
    return new RestoreRound(run, Set.of(), new HashMap<>(), 0);
  }

  /**
   * Returns the next round.
   *
   * @param next the run in its new epoch
   * @param parts names of the parts of all tasks that are to be restored
   */
  RestoreRound next(Run next, Set<String> parts, long now) {
    return new RestoreRound(next, parts, incarnations, now);
  }

  /** Returns the run in this round's epoch. */
  Run run() {
    return run;
  }

  /** Returns true if all tasks have their state. */
  boolean isComplete() {
    return missing.isEmpty();
  }

  /** Returns the names of the parts that no task has loaded yet. */
  Set<String> missing() {
    return missing;
  }

  /**
   * Returns the latest reason that a task gave for having no state, for people, after a colon;
   * empty if there is none.
   */
  String complaint() {
    return complaint;
  }

  /**
   * Returns true if the request is to be sent to all tasks, for the first time or again; it then
   * counts as sent.
   */
  boolean isToldAgain(long now) {
    boolean isDue = now - emittedAt >= AGAIN_NANOS;
    emittedAt = isDue ? now : emittedAt;
    return isDue;
  }

  /**
   * Notes that a task has its state.
   *
   * @return true if this was the last missing one
   */
  boolean restored(Payload.Restored message) {
    boolean isLast = missing.remove(message.part()) && missing.isEmpty();
    Long before = incarnations.put(message.part(), message.incarnation());
    if (before != null && before != message.incarnation()) {
      started.add(message.incarnation());
    }
    return isLast;
  }

  /** Notes why a task is not ready; it will get the request again. */
  void notReady(Payload.Failed message) {
    complaint = ": " + message.sentence();
  }

  /**
   * Returns true if a task has seen a later epoch of the robot, from an earlier dispatcher that had
   * gone on from another service's checkpoint ({@link EpochCounter#nextAfter}).
   */
  boolean isBehind(Payload.Restored message) {
    return message.found().epoch() > run.epoch();
  }

  /**
   * Returns the latest incarnations of all tasks that were ever restored, by the name of their
   * part.
   */
  Map<String, Long> incarnations() {
    return incarnations;
  }

  /** Returns the incarnations of tasks that were started since the previous round. */
  Set<Long> started() {
    return started;
  }
}
