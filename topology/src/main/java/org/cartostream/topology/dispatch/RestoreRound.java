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
 * One restore of a run, under its own epoch: tracks the tasks that have loaded their part of the
 * {@link RestorePoint}, and those that were started since the previous restore. What is not
 * answered is sent again each second.
 */
final class RestoreRound {

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Run run;

  /** Names of the parts that are waited for. */
  private final Set<String> missing;

  /** The latest incarnation of the task that had a part, by the part's name. */
  private final Map<String, Long> incarnations;

  /** Tasks that were started since the round before. */
  private final Set<Long> started = new HashSet<>();

  /** Time of the request by the dispatcher's clock. */
  private long emittedAt;

  /** Latest complaint of a component since the round began, for people; empty if none. */
  private String complaint = "";

  private RestoreRound(Run run, Set<String> parts, Map<String, Long> incarnations, long now) {
    this.run = run;
    this.missing = new TreeSet<>(parts);
    this.incarnations = incarnations;
    this.emittedAt = now - AGAIN_NANOS;
  }

  /** Before the first one: of a run whose restore point is not known yet. */
  static RestoreRound none(Run run) {
    return new RestoreRound(run, Set.of(), new HashMap<>(), 0);
  }

  /**
   * The next one.
   *
   * @param next the run in its new epoch
   * @param parts names of the parts of all tasks that are to be restored
   */
  RestoreRound next(Run next, Set<String> parts, long now) {
    return new RestoreRound(next, parts, incarnations, now);
  }

  /** The run in this round's epoch. */
  Run run() {
    return run;
  }

  /** True if all tasks have their state. */
  boolean isComplete() {
    return missing.isEmpty();
  }

  /** Names of the parts that are waited for. */
  Set<String> missing() {
    return missing;
  }

  /**
   * Returns what a task said last of why it has no state, for people, after a colon; empty if
   * nothing.
   */
  String complaint() {
    return complaint;
  }

  /** True if all tasks are to be told, for the first time or again; then they count as told. */
  boolean isToldAgain(long now) {
    boolean isDue = now - emittedAt >= AGAIN_NANOS;
    emittedAt = isDue ? now : emittedAt;
    return isDue;
  }

  /**
   * A task has its state.
   *
   * @return true if with it all have
   */
  boolean restored(Payload.Restored message) {
    boolean isLast = missing.remove(message.part()) && missing.isEmpty();
    Long before = incarnations.put(message.part(), message.incarnation());
    if (before != null && before != message.incarnation()) {
      started.add(message.incarnation());
    }
    return isLast;
  }

  /** A task is not ready, perhaps because it cannot load its part; it will be told again. */
  void notReady(Payload.Failed message) {
    complaint = ": " + message.sentence();
  }

  /**
   * True if a task has met a later epoch of the robot: that of a dispatcher before this one, which
   * had gone on from another service's checkpoint ({@link RobotRuns}).
   */
  boolean isBehind(Payload.Restored message) {
    return message.found().epoch() > run.epoch();
  }

  /** Incarnations of all tasks that were ever restored. */
  Map<String, Long> incarnations() {
    return incarnations;
  }

  /** Incarnations of those that were started since the round before. */
  Set<Long> started() {
    return started;
  }
}
