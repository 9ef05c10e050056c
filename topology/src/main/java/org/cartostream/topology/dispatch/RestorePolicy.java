package org.cartostream.topology.dispatch;

import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.topology.stream.Payload;

/**
 * Back-off of a failed run's restores: the first restore is immediate, further ones wait longer and
 * longer while the run makes no progress, until the run is given up. Also counts the restores'
 * cost.
 *
 * <p>Owns the run's progress, and the failures since the latest progress.
 */
final class RestorePolicy {

  /** Maximum number of restores of a run without progress or a later checkpoint. */
  static final int MAX_RESTORES = 6;

  /**
   * Number of exceptions at one reading after which the reading is refused; also the number of
   * exceptions at unknown readings after which the run is given up.
   */
  private static final int MAX_EXCEPTIONS = 2;

  /**
   * Maximum number of readings refused without progress between them; with more, something else is
   * wrong.
   */
  private static final int MAX_REFUSED = 3;

  /** Number of readings by which the publisher may be behind the latest served reading. */
  private static final int FAR_BEHIND = 10;

  private int restores;

  /** Number of exceptions of components at no known reading. */
  private int exceptions;

  /**
   * Epochs in which a component threw an exception at a reading, by the reading's number; only
   * readings that are in no checkpoint.
   */
  private final NavigableMap<Long, Set<Long>> exceptionsAt = new TreeMap<>();

  private int refused;
  private long furthest;

  /** Number of the last reading in the latest checkpoint. */
  private long durable;

  /** Reason for which the run is to be restored at {@code dueAt}; empty if it is not. */
  private String due = "";

  private long dueAt;

  /**
   * Number of the reading that a restored run must reach to be as far as before the failure; 0 once
   * it has.
   */
  private long target;

  private long since;
  private RecoveryReport report = RecoveryReport.NONE;

  /** Returns the greatest number of a reading that was ever served. */
  long furthest() {
    return furthest;
  }

  /** Returns the number of restores since the run made progress, or had a later checkpoint. */
  int restores() {
    return restores;
  }

  /**
   * Returns the time that a reading may take, nanoseconds. After the first restore it is a quarter
   * of the usual time, since a process that was just started is not connected to all others at once
   * and loses their messages. With each further restore it is four times as long, as the reading
   * may only be slow.
   *
   * @param usual time while nothing fails, nanoseconds
   */
  long patienceNanos(long usual) {
    return restores == 0 ? usual : usual / 4 << 2 * (restores - 1);
  }

  /** Returns the cost of the run's restores so far. */
  RecoveryReport report() {
    return report;
  }

  /**
   * Continues the counts of a checkpoint that another dispatcher has taken.
   *
   * @param saved report in the checkpoint
   * @param reading number of the last reading in the checkpoint
   */
  void resumeFrom(RecoveryReport saved, long reading, long now) {
    furthest = reading;
    report = saved.and(reading, 0);
    since = now;
    target = reading + 1;
  }

  /** Notes that a reading was served: the run has made progress if it is a new one. */
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
    // Readings long before this one did not fail again; the publisher may be some readings behind.
    exceptionsAt.headMap(reading - FAR_BEHIND, true).clear();
  }

  /** Forgets earlier failures, as all readings are processed and nothing has failed for a while. */
  void forgetFailures() {
    restores = 0;
    exceptions = 0;
  }

  /**
   * Notes that a component has failed.
   *
   * @return true if the run is to be restored now; else a later restore is planned
   */
  boolean failed(Payload.Failed message, long now) {
    String why = message.sentence();
    if (!message.lost() && message.reading() > 0) {
      // Several tasks may fail at the reading in one epoch; only different epochs count.
      exceptionsAt
          .computeIfAbsent(message.reading(), any -> new HashSet<>())
          .add(message.run().epoch());
    } else if (!message.lost()) {
      exceptions++;
    }
    if (restores > 0 && due.isEmpty()) {
      // The cause may need time to go away, such as a broker that is being restarted.
      due = why;
      dueAt = now + TimeUnit.SECONDS.toNanos(1L << restores);
    }
    return restores == 0;
  }

  /** Returns true if the run is to be given up, as it would fail again. */
  boolean isToGiveUp() {
    return exceptions >= MAX_EXCEPTIONS
        || refused >= MAX_REFUSED
            && exceptionsAt.values().stream().anyMatch(each -> each.size() >= MAX_EXCEPTIONS);
  }

  /** Returns true if a reading is to be refused, as components would fail at it again. */
  boolean isToRefuse(long reading) {
    return exceptionsAt.getOrDefault(reading, Set.of()).size() >= MAX_EXCEPTIONS
        && refused < MAX_REFUSED;
  }

  /** Notes that a reading is refused, and forgets earlier failures. */
  void refuse(long reading) {
    exceptionsAt.remove(reading);
    refused++;
    due = "";
    forgetFailures();
  }

  /**
   * Forgets failures at readings up to a number, which are in a checkpoint and never processed
   * again. A later checkpoint than before counts as progress, since fewer readings must be
   * repeated.
   */
  void forgetTo(long reading) {
    exceptionsAt.headMap(reading, true).clear();
    restores = reading > durable ? 0 : restores;
    durable = Math.max(durable, reading);
  }

  /** Returns true if a restore is planned for later. */
  boolean isWaiting() {
    return !due.isEmpty();
  }

  /**
   * Returns the reason for a planned restore whose time has come, for people; empty if there is
   * none.
   */
  String due(long now) {
    return isWaiting() && now - dueAt >= 0 ? due : "";
  }

  /**
   * Counts a restore that begins.
   *
   * @param reading number of the last reading in the checkpoint
   * @param now time at which the failure was noticed
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
