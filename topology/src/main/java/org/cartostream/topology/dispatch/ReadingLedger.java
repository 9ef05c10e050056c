package org.cartostream.topology.dispatch;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.arrival.PendingAcks;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.stream.TopologyRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of one run's readings: those that have come and are in no checkpoint yet, each with
 * its outcome. So they are processed once, in the order of their numbers, and can be processed
 * again after a restore.
 *
 * <p>Each reading is in one {@link State}. Two cursors move through the numbers, durable ≤ last
 * turn: up to the first all are in a checkpoint, and no more here; up to the second all had their
 * turn, or were refused before it. Those that had it are in flight or settled.
 *
 * <p>Numbers run 1, 2, 3 … without a gap, and the robot's credit bounds how far they are ahead. So
 * a gap is waited for, for as long as it takes: the robot's side is asked for what is missing. A
 * run that was restored has no such bound: its robot may have had answers that are only repeated
 * now, and go by them.
 *
 * <p>The readings of all runs have a {@link MemoryBudget}. They are acknowledged at the broker when
 * they are durable; so where a ledger is lost, the broker sends them again. Sooner, where it would
 * deliver nothing more, where they take too much memory, when the run is given up, or as below:
 * then their gateway is asked, or sends them again.
 *
 * <pre>
 * refused by, or for       acknowledged         after the dispatcher's death
 * the reading filter       when durable         comes again, and is refused again
 * the run's memory         when durable         likewise, if a checkpoint has it; else judged anew
 * FAILS                    when durable         refused again, as noted in the store
 * TOO_MANY_WAITING         at once              its number is in the next checkpoint; before that it
 *                                               is missing: asked for, and processed if it comes
 * AFTER_THE_END            at once              not asked for: the end is delivered again
 * nothing, but is dropped  at once, no outcome  asked for, or sent again by its gateway
 * </pre>
 *
 * <p>The first two have their turn, the others are refused before it. To acknowledge early is right
 * where another dispatcher would decide the same without the reading. That TOO_MANY_WAITING does
 * not hold to that, a robot that keeps to its credit never meets.
 *
 * <p>Owns the readings, and the robot's message that nothing follows.
 */
final class ReadingLedger {

  private static final Logger LOG = LoggerFactory.getLogger(ReadingLedger.class);

  /** Bytes that a reading takes besides its ranges: itself, its run, poses, and its place here. */
  static final int READING_BYTES = 500;

  /** Readings that are asked for at a time, at most. */
  private static final int MAX_ASKED = 500;

  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Bound on the readings that are refused for too many that wait, before another has its turn: to
   * answer each of a flood would cost more than the filter does.
   */
  private static final int MAX_REFUSED = 10;

  private static final double MEGABYTE = 1 << 20;

  private enum State {
    /**
     * The reading has come; what becomes of it is decided when the run is in the filter (again).
     */
    ARRIVED,
    /** The reading waits for its turn. */
    WAITING,
    /** The reading is in the filter, and tasks work on it. */
    IN_FLIGHT,
    /**
     * The reading had its turn; it is here until it is durable, to be processed again after a
     * restore.
     */
    SETTLED,
    /** The reading was refused before its turn, and is not waited for. */
    REFUSED
  }

  /** Reply to a reading that has come. */
  enum Reply {
    /** No reply: the reading is here, and has no answer yet. */
    KEPT,
    /** The reading has an answer, or had one, which is to be repeated if it is still known. */
    REPEATED,
    /** The reading is refused before its turn, for its {@link #refusal}. */
    REFUSED,
    /** The reading comes after the end, and is refused for that. */
    AFTER_THE_END,
    /** Too many wait, and many were refused already: it is as if it had not come. */
    DROPPED
  }

  /** A range of readings that have not come although a later one has; both ends belong to it. */
  record Gap(long first, long last) {}

  private static final class Entry {
    private State state = State.ARRIVED;

    /** Null if only its number is known. */
    private Arrival.OfReading reading;

    /**
     * True if the reading is held, which takes memory: after a restore it is judged again, and
     * processed or refused again.
     */
    private boolean isKept;

    /**
     * Why it is refused before its turn; null if it is not. It may have been told already, or is
     * told when the reading is judged next, or comes: then the state is not yet REFUSED.
     */
    private Refusal.Reason refusal;

    private static boolean isIn(Entry entry, State... states) {
      return entry != null && List.of(states).contains(entry.state);
    }
  }

  /**
   * The memory that all ledgers of a dispatcher may take. Where they take more, the largest lets go
   * of its eldest reading: a robot with large scans is not held at the cost of others.
   */
  static final class MemoryBudget {
    private final long maxBytes;
    private final Set<ReadingLedger> ledgers = new HashSet<>();
    private long bytes;

    MemoryBudget(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    private void change(ReadingLedger ledger, long by) {
      bytes += by;
      ledger.bytes += by;
      if (ledger.bytes == 0) {
        ledgers.remove(ledger);
      } else {
        ledgers.add(ledger);
      }
    }

    private void makeRoom() {
      for (Optional<ReadingLedger> largest = largest();
          bytes > maxBytes && largest.isPresent();
          largest = largest()) {
        largest.get().releaseEldest();
      }
    }

    /**
     * Returns the largest ledger; of a run that is given up nothing is added, and robots must hear
     * what has no answer.
     */
    private Optional<ReadingLedger> largest() {
      return ledgers.stream()
          .filter(each -> !each.isGivenUp)
          .max(Comparator.comparingLong(each -> each.bytes));
    }
  }

  private final Run run;
  private final TopologySettings settings;
  private final PendingAcks pendingAcks;
  private final MemoryBudget memory;

  /** Entries by their readings' numbers. */
  private final NavigableMap<Long, Entry> entries = new TreeMap<>();

  /** Readings in the filter, in the order in which they had their turn. */
  private final Deque<InFlightReading> inFlight = new ArrayDeque<>();

  /** Number of those that wait for their turn. */
  private int waiting;

  /** Bytes of memory that those take that are processed again after a restore. */
  private long bytes;

  /** Readings up to this one are in a checkpoint. */
  private long durable;

  /** All readings up to this one had their turn, or were refused before it. */
  private long lastTurn;

  /** Null until the robot has sent that nothing follows. */
  private Arrival.OfEnd end;

  /**
   * True from {@link #resume} to {@link #suspend}, which is until after the run's end. Else the
   * states and the cursor of the last turn are those of before.
   */
  private boolean isResumed;

  /** True if readings that have not had their turn here may have been answered before. */
  private boolean mayBeAnswered;

  /** Number of readings refused for too many that wait, since one had its turn. */
  private int refusedSinceTurn;

  /** Gap at the latest tick, and when it was asked for. */
  private Optional<Gap> latestGap = Optional.empty();

  private long askedAt;

  /** Number of the last reading that comes because it was asked for. */
  private long askedTo;

  /** True if no reading is let go of any more. */
  private boolean isGivenUp;

  /** The last reading that was let go of before it was in a checkpoint; 0 for none. */
  private long lastDropped;

  /**
   * @param pendingAcks of the readings
   * @param memory for the readings; beyond that the eldest are let go of, and the run cannot be
   *     restored any more
   */
  ReadingLedger(Run run, TopologySettings settings, PendingAcks pendingAcks, MemoryBudget memory) {
    this.run = run;
    this.settings = settings;
    this.pendingAcks = pendingAcks;
    this.memory = memory;
  }

  // --- readings that come ------------------------------------------------------------------------

  /** A reading has come. */
  Reply receive(Arrival.OfReading reading) {
    boolean isNew = keep(reading);
    if (!isResumed) {
      return Reply.KEPT;
    }
    if (isNew) {
      return judge(reading);
    }
    Entry entry = entries.get(reading.sequence());
    boolean hadItsTurn = reading.sequence() <= lastTurn() && !Entry.isIn(entry, State.IN_FLIGHT);
    boolean hasAnswer = hadItsTurn || entry != null && entry.refusal != null;
    return hasAnswer ? Reply.REPEATED : Reply.KEPT;
  }

  /** False if a reading is here already, or is in a checkpoint. */
  private boolean keep(Arrival.OfReading reading) {
    long sequence = reading.sequence();
    if (sequence <= durable) {
      acknowledgeUpTo(durable);
      return false;
    }
    Entry entry = entries.computeIfAbsent(sequence, unknown -> new Entry());
    if (entry.isKept) {
      return false;
    }
    entry.reading = reading;
    entry.isKept = true;
    if (isResumed && sequence <= lastTurn && entry.state == State.ARRIVED) {
      entry.state = State.SETTLED; // It was let go of, and comes again.
    }
    memory.change(this, bytes(reading));
    memory.makeRoom();
    return true;
  }

  /** Decides what becomes of a reading that is kept, for the first time or again. */
  Reply judge(Arrival.OfReading reading) {
    long sequence = reading.sequence();
    Entry entry = entries.get(sequence);
    skipRefused();
    if (entry != null && entry.refusal != null) {
      entry.state = sequence > lastTurn ? State.REFUSED : entry.state;
      return Reply.REFUSED;
    }
    if (sequence <= lastTurn || Entry.isIn(entry, State.WAITING, State.REFUSED)) {
      return Reply.REPEATED;
    }
    if (end != null && sequence > end.sequence()) {
      drop(sequence);
      return Reply.AFTER_THE_END;
    }
    if (areTooMany(sequence)) {
      return refuseOneTooMany(sequence);
    }
    if (entry == null) { // It was let go of at once, and has its turn all the same.
      entry = new Entry();
      entry.reading = reading;
      entries.put(sequence, entry);
    }
    entry.state = State.WAITING;
    waiting++;
    return Reply.KEPT;
  }

  private boolean areTooMany(long sequence) {
    boolean isServedAtOnce = inFlight.isEmpty() && sequence == lastTurn + 1;
    int ahead = waiting + Math.max(0, inFlight.size() - 1);
    return !mayBeAnswered
        && sequence > askedTo
        && ahead >= settings.waitingReadings()
        && !isServedAtOnce;
  }

  private Reply refuseOneTooMany(long sequence) {
    if (refusedSinceTurn == MAX_REFUSED) {
      drop(sequence);
      return Reply.DROPPED;
    }
    refusedSinceTurn++;
    Entry entry = entries.computeIfAbsent(sequence, unknown -> new Entry());
    entry.state = State.REFUSED;
    entry.refusal =
        TopologyRefusal.TOO_MANY_WAITING.because(waiting + " wait before number " + sequence);
    pendingAcks.acknowledge(run, sequence);
    return Reply.REFUSED;
  }

  /**
   * Notes that nothing follows the readings up to a number. What comes again may tell more of the
   * robot.
   */
  void receive(Arrival.OfEnd last) {
    if (end == null || end.sequence() == last.sequence()) {
      end = last;
    }
  }

  /** The robot's message that nothing follows; null until it has come. */
  Arrival.OfEnd end() {
    return end;
  }

  /**
   * The readings that are to be asked for at this tick. They may still be on their way, so it is
   * those that are missing at two ticks, and again while they do not come.
   *
   * @param now by the dispatcher's clock
   */
  Optional<Gap> gapToAskFor(long now) {
    Optional<Gap> gap = inFlight.isEmpty() ? gap() : Optional.empty();
    boolean isNew = !gap.equals(latestGap);
    latestGap = gap;
    askedAt = isNew ? now - ASK_AGAIN_NANOS : askedAt;
    if (isNew || gap.isEmpty() || now - askedAt < ASK_AGAIN_NANOS) {
      return Optional.empty();
    }
    askedAt = now;
    askedTo = Math.max(askedTo, gap.get().last()); // They are taken, however many others wait.
    return gap;
  }

  /** The readings missing before those that wait, or before the end; empty if none are. */
  Optional<Gap> gap() {
    skipRefused();
    long before =
        entries.tailMap(lastTurn, false).entrySet().stream()
            .filter(each -> each.getValue().state == State.WAITING)
            .map(each -> each.getKey())
            .findFirst()
            .orElse(end == null ? lastTurn : end.sequence() + 1);
    long last = Math.min(before - 1, lastTurn + MAX_ASKED);
    return last > lastTurn ? Optional.of(new Gap(lastTurn + 1, last)) : Optional.empty();
  }

  // --- refusals before the turn ------------------------------------------------------------------

  /**
   * A reading will be refused when it is judged next, or when it comes. The broker keeps it until
   * that is in a checkpoint.
   *
   * @return the reading; empty if it is refused already, or is not here: then it will be refused
   *     all the same
   */
  Optional<Arrival.OfReading> refuseLater(long sequence, Refusal.Reason why) {
    Entry entry = entries.computeIfAbsent(sequence, unknown -> new Entry());
    if (entry.refusal != null) {
      return Optional.empty();
    }
    entry.refusal = why;
    return entry.isKept ? Optional.of(entry.reading) : Optional.empty();
  }

  /** Why a reading is refused before its turn; null if it is not. */
  Refusal.Reason refusal(long sequence) {
    Entry entry = entries.get(sequence);
    return entry == null ? null : entry.refusal;
  }

  /** Numbers after {@link #lastTurn} that were refused before their turn, ascending. */
  long[] refusedAhead() {
    skipRefused();
    return entries.tailMap(lastTurn, false).entrySet().stream()
        .filter(each -> each.getValue().state == State.REFUSED)
        .mapToLong(each -> each.getKey())
        .toArray();
  }

  private void skipRefused() {
    while (Entry.isIn(entries.get(lastTurn + 1), State.REFUSED)) {
      lastTurn++;
    }
  }

  // --- turns -------------------------------------------------------------------------------------

  /**
   * The run is in the filter (again), after its checkpoint: no reading has had its turn, and
   * whatever is here is to be {@link #judge judged} anew, in the order of {@link #after}.
   *
   * @param refusedAhead numbers after the checkpoint that were refused before their turn
   * @param mayBeAnswered true if readings after it may have been answered before
   */
  void resume(long[] refusedAhead, boolean mayBeAnswered) {
    isResumed = true;
    this.mayBeAnswered = mayBeAnswered;
    lastTurn = durable;
    waiting = 0;
    refusedSinceTurn = 0;
    askedTo = 0;
    inFlight.clear();
    entries.values().removeIf(each -> !each.isKept && each.refusal == null);
    entries.values().forEach(each -> each.state = State.ARRIVED);
    for (long each : refusedAhead) {
      entries.computeIfAbsent(each, unknown -> new Entry()).state = State.REFUSED;
    }
  }

  /** The run is not in the filter until {@link #resume}: readings only arrive. */
  void suspend() {
    isResumed = false;
  }

  /** Readings up to this one are in a checkpoint. */
  long durable() {
    return durable;
  }

  /** The number of the latest reading that had its turn, or was refused before it. */
  long lastTurn() {
    skipRefused();
    return lastTurn;
  }

  /** The one whose turn it is, which waits on; null if it has not come. */
  Arrival.OfReading next() {
    skipRefused();
    Entry next = entries.get(lastTurn + 1);
    return Entry.isIn(next, State.WAITING) ? next.reading : null;
  }

  /** The {@link #next} one has its turn, and is settled at once: it is not processed. */
  void settleNext() {
    takeTurn();
    settle(lastTurn);
  }

  /** The {@link #next} one has its turn: it is in the filter from now on. */
  void admitNext(InFlightReading next) {
    takeTurn();
    entries.get(lastTurn).state = State.IN_FLIGHT;
    inFlight.add(next);
  }

  private void takeTurn() {
    lastTurn++;
    waiting--;
    refusedSinceTurn = 0;
  }

  private void settle(long sequence) {
    Entry entry = entries.get(sequence);
    entry.state = State.SETTLED;
    if (!entry.isKept) {
      entries.remove(sequence);
    }
  }

  /** The readings in the filter, in the order in which they had their turn. */
  Deque<InFlightReading> inFlight() {
    return inFlight;
  }

  /** The first one in the filter is done with. */
  void settleFirst() {
    settle(inFlight.removeFirst().sequence());
  }

  /** The last one in the filter is not processed after all. */
  void settleLast() {
    settle(inFlight.removeLast().sequence());
  }

  // --- what is kept ------------------------------------------------------------------------------

  private static long bytes(Arrival.OfReading reading) {
    return reading.bytes() + READING_BYTES;
  }

  private void releaseEldest() {
    if (isWhole()) {
      LOG.warn(
          "{} cannot be restored, for its readings since {} are in no checkpoint, and those of all"
              + " robots take more than the {} MB of checkpoint.heldMegabytes",
          run,
          durable,
          "%.1f".formatted(memory.maxBytes / MEGABYTE));
    }
    long eldest = kept(entries).findFirst().orElseThrow().sequence();
    lastDropped = Math.max(lastDropped, eldest); // An earlier one may have come again.
    release(eldest);
    acknowledgeUpTo(eldest);
  }

  /**
   * Releases a reading, which is not processed again; if it has not had its turn, or is in the
   * filter, it is once.
   */
  private void release(long sequence) {
    Entry entry = entries.get(sequence);
    if (entry.isKept) {
      entry.isKept = false;
      memory.change(this, -bytes(entry.reading));
    }
    boolean isDone = Entry.isIn(entry, State.ARRIVED, State.SETTLED);
    if (isDone && entry.refusal == null) {
      entries.remove(sequence);
    }
  }

  /** A reading will not be processed, now or again. */
  void drop(long sequence) {
    if (entries.containsKey(sequence)) {
      release(sequence);
    }
    pendingAcks.acknowledge(run, sequence);
  }

  /** Readings up to this one are in a checkpoint: they will not be processed again. */
  void forgetTo(long sequence) {
    durable = sequence;
    acknowledgeUpTo(sequence);
    NavigableMap<Long, Entry> forgotten = entries.headMap(sequence, true);
    memory.change(this, -kept(forgotten).mapToLong(ReadingLedger::bytes).sum());
    forgotten.values().forEach(each -> each.isKept = false);
    forgotten.values().removeIf(each -> each.state != State.IN_FLIGHT);
  }

  /** The run cannot go on: what is here stays, to be reported as lost. */
  void giveUp() {
    isGivenUp = true;
  }

  /** Lets go of all: the run is no more. */
  void close() {
    forgetTo(PendingAcks.END);
  }

  /** True if nothing is kept. */
  boolean isEmpty() {
    return kept(entries).findAny().isEmpty();
  }

  /** True if nothing is missing of a run that begins with nothing: its first reading is here. */
  boolean hasFirst() {
    Entry first = entries.get(1L);
    return first != null && first.isKept;
  }

  /** True if the run can be restored: all readings after the checkpoint are here. */
  boolean isWhole() {
    return lastDropped <= durable;
  }

  private static Stream<Arrival.OfReading> kept(Map<Long, Entry> entries) {
    return entries.values().stream().filter(each -> each.isKept).map(each -> each.reading);
  }

  /** The readings after a number that are processed again after a restore, in their order. */
  List<Arrival.OfReading> after(long sequence) {
    return kept(entries.tailMap(sequence, false)).toList();
  }

  // --- receipts ----------------------------------------------------------------------------------

  /** The broker need not deliver the readings up to this one again, or all for Receipts.END. */
  void acknowledgeUpTo(long sequence) {
    pendingAcks.acknowledgeUpTo(run, sequence);
  }

  /** Number of messages of the run that the broker keeps. */
  int pendingAcks() {
    return pendingAcks.count(run);
  }
}
