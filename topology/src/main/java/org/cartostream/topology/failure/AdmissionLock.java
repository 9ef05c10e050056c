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
 * A fair lock on admitting readings, shared by all runs of a dispatcher and asked by their {@link
 * PoisonReadingDetector}es. It is open to all until one of them notes a reading before it is
 * admitted; from then on one reading at a time of all robots is admitted, each noted, in the order
 * in which they ask. So if a process ends, it ended at that reading. One run may find out later
 * than another that a process has ended, and must not take it for another death: hence the order in
 * which tasks were met first.
 *
 * <p>Nothing else that takes much memory is begun meanwhile: no map is drawn, which the publisher
 * is asked for, and no checkpoint is taken. Those that wait have their turn together, between one
 * noted reading and the next.
 *
 * <p>Owns who waits, whose readings are being processed without a note, whose checkpoints are being
 * stored, and which tasks were met. The dispatcher's thread calls all but {@link #giveUp} and
 * {@link #tryAgain}.
 */
public final class AdmissionLock {

  /** Number of tasks that are remembered. */
  private static final int MAX_TASKS = 10_000;

  /** The first one has its turn, unless some are processed without a note. */
  private final Deque<PoisonReadingDetector> waiting = new ArrayDeque<>();

  private final Set<PoisonReadingDetector> unnoted = new HashSet<>();

  private final Set<WaitingCheckpoint> toStore = new LinkedHashSet<>();
  private final Set<WaitingCheckpoint> storing = new HashSet<>();

  /** True if the first one that waits does so for those, and since when. */
  private boolean isWaitingForStore;

  private long waitsSince;
  private final MapHolder maps;

  /** Run for whose reading maps are held; null if they are not. */
  private Run heldFor;

  /** True once the first one that waits was told. */
  private boolean hasTurn;

  /** Order in which tasks' incarnations were met first, counted from 1. */
  private final Map<Long, Long> tasks = new LinkedHashMap<>();

  private long latestMet;

  /** True while notes cannot be written: readings wait for no store that is away. */
  private volatile boolean isGivenUp;

  /** A run's checkpoint, which waits while a reading is noted, of whichever robot. */
  public interface WaitingCheckpoint {

    /** Takes the turn that was waited for: it may be begun. */
    void takeTurn();
  }

  /** Asks for no map to be drawn because of a reading; or, for 0, says that there is none. */
  public interface MapHolder {
    void hold(Run run, long reading);
  }

  /**
   * @param maps is asked before a reading is noted; {@link PoisonReadingDetector#mapsArePaused}
   *     answers
   */
  public AdmissionLock(MapHolder maps) {
    this.maps = maps;
  }

  /** Asks for no map to be drawn while this reading has its turn. */
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
   * True if a checkpoint may be begun; else {@link WaitingCheckpoint#takeTurn} is called when it
   * may.
   */
  public boolean mayStore(WaitingCheckpoint who) {
    boolean isFree = waiting.isEmpty();
    (isFree ? storing : toStore).add(who);
    return isFree;
  }

  /** Notes that a checkpoint is stored, or is not to be any more. */
  public void stored(WaitingCheckpoint who) {
    toStore.remove(who);
    storing.remove(who);
    next();
  }

  /** Looks at the time: for a store that hangs no reading waits any longer. */
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

  /** True if a reading may be admitted without a note. */
  boolean mayAdmitFreely(PoisonReadingDetector who) {
    if (waiting.isEmpty()) {
      unnoted.add(who);
    }
    return waiting.isEmpty();
  }

  /** Notes that what was admitted without a note is done. */
  void done(PoisonReadingDetector who) {
    if (unnoted.remove(who)) {
      next();
    }
  }

  /** Waits for its turn; {@link PoisonReadingDetector#takeTurn} is called then, or at once. */
  void ask(PoisonReadingDetector who) {
    waiting.add(who);
    next();
  }

  /** Leaves the queue: nothing of the run is being processed, and it does not wait. */
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

  /** A task has had a run restored. */
  void met(long incarnation) {
    tasks.computeIfAbsent(incarnation, isNew -> ++latestMet);
    if (tasks.size() > MAX_TASKS) {
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
