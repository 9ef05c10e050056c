package org.cartostream.topology.failure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cartostream.topology.run.Run;

/**
 * A fair lock on admitting readings to the filters, shared by the {@link PoisonReadingDetector}s of
 * all runs of a dispatcher. With this lock the detectors find out which reading crashes a process.
 *
 * <p>The lock is open to all until one run, after crashes, asks for turns: before its reading is
 * admitted it writes down (notes) which reading that is. While such runs wait, only one reading of
 * all robots is processed at a time, in the order of asking. So if a process crashes, the noted
 * reading was the only one being processed.
 *
 * <p>A run may learn of a crash later than others, and must not count the same crash again. So the
 * lock numbers the incarnations (starts) of tasks in the order in which they first restored any
 * run.
 *
 * <p>While a noted reading is processed nothing else that takes much memory is begun: the publisher
 * is asked to draw no map, and no checkpoint is taken. Checkpoints that wait are taken together,
 * between two noted readings.
 *
 * <p>Owns the queue of runs, the runs whose readings are processed without a note, the checkpoints
 * that wait or are being stored, and the numbers of tasks' incarnations. The dispatcher's thread
 * calls all methods but {@link #giveUp} and {@link #tryAgain}.
 */
public final class AdmissionLock {

  /** Maximum number of tasks' incarnations that are remembered. */
  private static final int MAX_TASKS = 10_000;

  /**
   * Queue of runs for turns. The first run has its turn, unless readings are being processed
   * without a note, or checkpoints are being stored.
   */
  private final Deque<PoisonReadingDetector> waiting = new ArrayDeque<>();

  private final Set<PoisonReadingDetector> unnoted = new HashSet<>();

  private final Set<WaitingCheckpoint> toStore = new LinkedHashSet<>();
  private final Set<WaitingCheckpoint> storing = new HashSet<>();

  /**
   * True while the first run in the queue waits for checkpoints to be stored, since {@link
   * #waitsSince}.
   */
  private boolean isWaitingForStore;

  private long waitsSince;
  private final MapHolder maps;

  /** Run for whose reading the drawing of maps is paused; null if it is not paused. */
  private Run heldFor;

  /** True if the first run in the queue has its turn. */
  private boolean hasTurn;

  /** Numbers, from 1, of tasks' incarnations in the order of {@link #met}. */
  private final Map<Long, Long> tasks = new LinkedHashMap<>();

  private long latestMet;

  /** True while notes cannot be written, so that readings do not wait for an unreachable store. */
  private volatile boolean isGivenUp;

  /** A run's checkpoint that waits while a noted reading of any robot is processed. */
  public interface WaitingCheckpoint {

    /** Called when the checkpoint may be begun. */
    void takeTurn();
  }

  /**
   * Sender of requests to pause the drawing of maps while a reading is processed; reading 0 ends
   * the pause.
   */
  public interface MapHolder {
    void hold(Run run, long reading);
  }

  /**
   * @param maps sends the publisher the request to pause drawing maps, before a reading is noted;
   *     the reply comes by {@link PoisonReadingDetector#mapsArePaused}
   */
  public AdmissionLock(MapHolder maps) {
    this.maps = maps;
  }

  /** Asks the publisher to draw no map while a reading has its turn. */
  void pauseMaps(Run run, long reading) {
    heldFor = run;
    maps.hold(run, reading);
  }

  private void resumeMaps() {
    if (heldFor != null) {
      Run run = heldFor;
      heldFor = null;
      maps.hold(run, 0);
    }
  }

  /**
   * Returns true if a checkpoint may be begun; otherwise {@link WaitingCheckpoint#takeTurn} is
   * called later.
   */
  public boolean mayStore(WaitingCheckpoint who) {
    boolean isFree = waiting.isEmpty();
    (isFree ? storing : toStore).add(who);
    return isFree;
  }

  /** Ends a checkpoint, which is stored or was given up. */
  public void stored(WaitingCheckpoint who) {
    toStore.remove(who);
    storing.remove(who);
    next();
  }

  /**
   * Checks time-outs: a reading that has waited for a checkpoint for longer than {@code
   * patienceNanos} waits no more, as the store probably hangs.
   */
  void watch(PoisonReadingDetector who, long time, long patienceNanos) {
    if (hasTurn || waiting.peek() != who || storing.isEmpty()) {
      return;
    }
    if (!isWaitingForStore) {
      isWaitingForStore = true;
      waitsSince = time;
    } else if (time - waitsSince > patienceNanos) {
      storing.clear();
      next();
    }
  }

  private void beginCheckpoints() {
    List<WaitingCheckpoint> all = List.copyOf(toStore);
    toStore.clear();
    storing.addAll(all);
    all.forEach(WaitingCheckpoint::takeTurn);
  }

  /** Returns true if a reading may be admitted without a note, because no run waits for a turn. */
  boolean mayAdmitFreely(PoisonReadingDetector who) {
    if (waiting.isEmpty()) {
      unnoted.add(who);
    }
    return waiting.isEmpty();
  }

  /** Ends the processing of a reading that was admitted without a note. */
  void done(PoisonReadingDetector who) {
    if (unnoted.remove(who)) {
      next();
    }
  }

  /**
   * Joins the queue; {@link PoisonReadingDetector#takeTurn} is called at its turn, perhaps at once.
   */
  void ask(PoisonReadingDetector who) {
    waiting.add(who);
    next();
  }

  /** Leaves the queue and gives up the turn: no reading of the run is being processed. */
  void leave(PoisonReadingDetector who) {
    boolean hadTurn = hasTurn && waiting.peek() == who;
    hasTurn &= !hadTurn;
    waiting.remove(who);
    unnoted.remove(who);
    isWaitingForStore &= !waiting.isEmpty();
    if (hadTurn) {
      resumeMaps();
    }
    if (hadTurn || waiting.isEmpty()) {
      beginCheckpoints();
    }
    next();
  }

  private void next() {
    if (!hasTurn && !waiting.isEmpty() && unnoted.isEmpty() && storing.isEmpty()) {
      hasTurn = true;
      isWaitingForStore = false;
      waiting.peek().takeTurn();
    }
  }

  /** Numbers a task's incarnation when it has restored a run for the first time. */
  void met(long incarnation) {
    tasks.computeIfAbsent(incarnation, isNew -> ++latestMet);
    if (tasks.size() > MAX_TASKS) {
      tasks.remove(tasks.keySet().iterator().next());
    }
  }

  /** Returns the number of the newest incarnation. */
  long latestMet() {
    return latestMet;
  }

  /**
   * Returns true if one of {@code incarnations} is newer than the one that has {@code number}, or
   * is not numbered yet.
   */
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

  /** Ends {@link #giveUp}: a note could be written again. */
  void tryAgain() {
    isGivenUp = false;
  }
}
