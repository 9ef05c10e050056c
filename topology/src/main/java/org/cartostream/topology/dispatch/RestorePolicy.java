package org.cartostream.topology.dispatch;

import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.topology.stream.Payload;

/**
 * Back-off of a failed run's restores: the first is immediate, further ones wait longer and longer
 * while the run makes no progress, until it is given up. It also counts what the restores cost.
 *
 * <p>Owns the run's progress, and the failures since.
 */
final class RestorePolicy {

  /** Maximum number of restores of a run without progress or a later checkpoint. */
  static final int MAX_RESTORES = 6;

  /** Maximum number of failures of a component at one place, since what failed fails again. */
  private static final int MAX_EXCEPTIONS = 2;

  /** Maximum number of readings refused in succession: beyond that, something else is wrong. */
  private static final int MAX_REFUSED = 3;

  /** Number of readings by which the publisher may be behind what was served. */
  private static final int FAR_BEHIND = 10;

  private int restores;

  /** Number of exceptions where it is not known at which reading a component failed. */
  private int exceptions;

  /** The epochs in which a component failed at a reading that is in no checkpoint. */
  private final NavigableMap<Long, Set<Long>> exceptionsAt = new TreeMap<>();

  private int refused;
  private long furthest;

  /** The last reading in the latest checkpoint. */
  private long durable;

  /** Why the run is to be restored, and when; empty if it is not. */
  private String due = "";

  private long dueAt;

  /** The reading to which the run has to come before it is as far as it was; 0 if it is. */
  private long target;

  private long since;
  private RecoveryReport report = RecoveryReport.NONE;

  /** The number of the latest reading that was ever served. */
  long furthest() {
    return furthest;
  }

  /** Number of restores since the run made progress, or had a later checkpoint. */
  int restores() {
    return restores;
  }

  /**
   * Returns how long a reading may take. Less after a restore: a process that was just started is
   * not connected with all others at once, and what they send it is lost. Then four times as long
   * each time, for it may only be slow.
   *
   * @param usual while nothing fails
   */
  long patienceNanos(long usual) {
    return restores == 0 ? usual : usual / 4 << 2 * (restores - 1);
  }

  /** Returns the cost of the run's restores so far. */
  RecoveryReport report() {
    return report;
  }

  /** Counts on from what is in a checkpoint that another dispatcher has taken. */
  void resumeFrom(RecoveryReport saved, long reading, long now) {
    furthest = reading;
    report = saved.and(reading, 0);
    since = now;
    target = reading + 1;
  }

  /** A reading was served. */
  void served(long reading, long now) {
    if (target > 0 && reading >= target) {
      report = report.took(now - since);
      target = 0;
    }
    if (reading > furthest) {
      furthest = reading;
      restores = 0;
      exceptions = 0;
      refused = 0;
    }
    // What failed long before did not fail again; the publisher may be some readings behind.
    exceptionsAt.headMap(reading - FAR_BEHIND, true).clear();
  }

  /** All that came is processed, and nothing has failed for a while: what fails now fails anew. */
  void forgetFailures() {
    restores = 0;
    exceptions = 0;
  }

  /**
   * A component cannot go on.
   *
   * @return true if it is to be restored now
   */
  boolean failed(Payload.Failed message, long now) {
    String why = message.sentence();
    if (!message.lost() && message.reading() > 0) {
      // Several tasks may fail at it, each once: what counts is that it was tried again.
      exceptionsAt
          .computeIfAbsent(message.reading(), any -> new HashSet<>())
          .add(message.run().epoch());
    } else if (!message.lost()) {
      exceptions++;
    }
    if (restores > 0 && due.isEmpty()) {
      // What fails again at once may be away for a while, as a broker is that is started again.
      due = why;
      dueAt = now + TimeUnit.SECONDS.toNanos(1L << restores);
    }
    return restores == 0;
  }

  /** True if what fails would fail again. */
  boolean isToGiveUp() {
    return exceptions >= MAX_EXCEPTIONS
        || refused >= MAX_REFUSED
            && exceptionsAt.values().stream().anyMatch(each -> each.size() >= MAX_EXCEPTIONS);
  }

  /** True if the run can go on without this reading: what fails at it would fail again. */
  boolean isToRefuse(long reading) {
    return exceptionsAt.getOrDefault(reading, Set.of()).size() >= MAX_EXCEPTIONS
        && refused < MAX_REFUSED;
  }

  /** A reading will be refused: what fails now fails anew. */
  void refuse(long reading) {
    exceptionsAt.remove(reading);
    refused++;
    due = "";
    forgetFailures();
  }

  /**
   * Readings up to this one are in a checkpoint, and never processed again: if it is later than the
   * one before, the run has come further, for less is to be repeated.
   */
  void forgetTo(long reading) {
    exceptionsAt.headMap(reading, true).clear();
    restores = reading > durable ? 0 : restores;
    durable = Math.max(durable, reading);
  }

  /** True if a restore waits for its time. */
  boolean isWaiting() {
    return !due.isEmpty();
  }

  /** Why the run is to be restored now, for people; empty if it is not. */
  String due(long now) {
    return isWaiting() && now - dueAt >= 0 ? due : "";
  }

  /**
   * The run is being restored.
   *
   * @param reading the last one in the checkpoint
   * @param now when the failure was noticed
   */
  void begin(long reading, long now) {
    restores++;
    due = "";
    report = report.and(reading, Math.max(0, furthest - reading));
    if (target == 0) {
      since = now;
      target = Math.max(1, furthest);
    }
  }
}
