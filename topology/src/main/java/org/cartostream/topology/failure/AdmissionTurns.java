package org.cartostream.topology.failure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A fair lock on admitting readings, shared by all runs of a dispatcher and asked by their {@link
 * FatalReadingSearch}es. It is open to all until one of them notes a reading before it is admitted;
 * from then on one reading at a time of all robots is admitted, each noted, in the order in which
 * they ask. So if a process ends, it ended at that reading. One run may find out later than another
 * that a process has ended, and must not take it for another death: hence the order in which tasks
 * were met first.
 *
 * <p>Owns who waits, whose readings are being processed without a note, and which tasks were met.
 * The dispatcher's thread calls all but {@link #giveUp} and {@link #tryAgain}.
 */
public final class AdmissionTurns {

  /** So many tasks are remembered. */
  private static final int MOST_TASKS = 10_000;

  /** The first one has its turn, unless some are processed without a note. */
  private final Deque<FatalReadingSearch> waiting = new ArrayDeque<>();

  private final Set<FatalReadingSearch> unnoted = new HashSet<>();

  /** True once the first one that waits was told. */
  private boolean hasTurn;

  /** By a task's incarnation: the order in which they were met first, counted from 1. */
  private final Map<Long, Long> tasks = new LinkedHashMap<>();

  private long latestMet;

  /** True while notes cannot be written: readings wait for no store that is away. */
  private volatile boolean isGivenUp;

  /** True if a reading may be admitted without a note. */
  boolean mayAdmitFreely(FatalReadingSearch who) {
    if (waiting.isEmpty()) {
      unnoted.add(who);
    }
    return waiting.isEmpty();
  }

  /** What it had admitted without a note is done. */
  void done(FatalReadingSearch who) {
    if (unnoted.remove(who)) {
      next();
    }
  }

  /** Waits for its turn; {@link FatalReadingSearch#mark} is called then, or at once. */
  void ask(FatalReadingSearch who) {
    waiting.add(who);
    next();
  }

  /** Nothing of it is being processed, and it does not wait. */
  void leave(FatalReadingSearch who) {
    if (waiting.peek() == who) {
      hasTurn = false;
    }
    waiting.remove(who);
    unnoted.remove(who);
    next();
  }

  private void next() {
    if (!hasTurn && !waiting.isEmpty() && unnoted.isEmpty()) {
      hasTurn = true;
      waiting.peek().mark();
    }
  }

  /** A task has had a run restored. */
  void met(long incarnation) {
    tasks.computeIfAbsent(incarnation, isNew -> ++latestMet);
    if (tasks.size() > MOST_TASKS) {
      tasks.remove(tasks.keySet().iterator().next());
    }
  }

  /** The number of the task that was met first as the latest of all. */
  long latestMet() {
    return latestMet;
  }

  /** True if one of these tasks was met after the one of that number, or not yet. */
  boolean isLaterThan(long number, Set<Long> incarnations) {
    return incarnations.stream()
        .anyMatch(each -> tasks.getOrDefault(each, Long.MAX_VALUE) > number);
  }

  boolean isGivenUp() {
    return isGivenUp;
  }

  void giveUp() {
    isGivenUp = true;
  }

  /** A note was written: the store is there again. */
  void tryAgain() {
    isGivenUp = false;
  }
}
