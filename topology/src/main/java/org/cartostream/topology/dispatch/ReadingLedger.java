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
 * Ledger of one run's readings that have come and are in no checkpoint yet. With it each reading is
 * processed once, in the order of numbers, and can be processed again after a restore.
 *
 * <p>Each reading is in one {@link State}. Two cursors, durable ≤ last turn, move through the
 * numbers. Readings up to {@code durable} are in a checkpoint, and no longer here. Readings up to
 * {@code lastTurn} had their turn, or were refused before it. A reading that had its turn is in
 * flight or settled.
 *
 * <p>Readings are numbered 1, 2, 3 … without gaps, and the robot's credit bounds how many of them
 * it sends without an answer. So the ledger waits for a missing reading as long as it takes, and
 * the robot's gateway is asked for it. After a restore the credit is no bound: the robot may have
 * got answers already that are only repeated now.
 *
 * <p>The readings of all runs share a {@link MemoryBudget}. A reading is acknowledged to the broker
 * when it is durable, so that the broker delivers it again if the dispatcher dies. It is
 * acknowledged sooner if the broker would deliver nothing more otherwise, if readings take too much
 * memory, if the run is given up, and in cases of the table below. Then the gateway is asked for
 * the reading, or sends it again.
 *
 * <pre>
 * refused for              acknowledged         after the dispatcher's death
 * faults of the reading    when durable         delivered and refused again
 * the run's memory         when durable         delivered again, and refused again if a checkpoint has
 *                                               the refusal; else judged anew
 * FAILS                    when durable         refused again, as noted in the store
 * TOO_MANY_WAITING         at once              refused if its number is in a checkpoint; else asked
 *                                               for as missing, and processed if it comes
 * AFTER_THE_END            at once              not asked for: the end is delivered again
 * (dropped, no outcome)    at once              asked for as missing, or sent again by its gateway
 * </pre>
 *
 * <p>Readings of the first two rows have their turn, the others are refused before it.
 * Acknowledging early is right if another dispatcher would decide the same without the reading.
 * TOO_MANY_WAITING breaks that rule, but a robot that keeps to its credit never gets this refusal.
 *
 * <p>Owns the readings, and the robot's message that the run has ended.
 */
final class ReadingLedger {

  private static final Logger LOG = LoggerFactory.getLogger(ReadingLedger.class);

  /**
   * Memory of a reading without its ranges, bytes: the object, its run, its poses, and its entry
   * here.
   */
  static final int READING_BYTES = 500;

  /** Maximum number of missing readings that are asked for at a time. */
  private static final int MAX_ASKED = 500;

  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Maximum number of readings refused with TOO_MANY_WAITING between two turns; more are dropped,
   * as answering each message of a flood would cost more than the filter does.
   */
  private static final int MAX_REFUSED = 10;

  private static final double MEGABYTE = 1 << 20;

  private enum State {
    /** The reading has come; it is judged when the run is in the filter (again). */
    ARRIVED,
    /** The reading waits for its turn. */
    WAITING,
    /** The reading is in the filter, where tasks work on it. */
    IN_FLIGHT,
    /**
     * The reading had its turn; it stays here until it is durable, to be processed again after a
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
    /** The reading was answered before; the answer is repeated if it is still known. */
    REPEATED,
    /** The reading is refused before its turn; {@link #refusal} has the reason. */
    REFUSED,
    /** The reading is refused because its number is greater than that of the run's last reading. */
    AFTER_THE_END,
    /**
     * The reading is dropped without an answer: too many readings wait, and several were refused
     * already.
     */
    DROPPED
  }

  /**
   * A range of readings that have not come although a later one has.
   *
   * @param first number of the first missing reading
   * @param last number of the last missing reading
   */
  record Gap(long first, long last) {}

  private static final class Entry {
    private State state = State.ARRIVED;

    /** The reading; null if only its number is known. */
    private Arrival.OfReading reading;

    /** True if the reading is kept in memory, to be judged again after a restore. */
    private boolean isKept;

    /**
     * Reason for which the reading is refused before its turn; null if it is not. The state is
     * REFUSED once the robot was told; before that, the robot is told when the reading comes or is
     * judged next.
     */
    private Refusal.Reason refusal;

    private static boolean isIn(Entry entry, State... states) {
      return entry != null && List.of(states).contains(entry.state);
    }
  }

  /**
   * The memory that all ledgers of a dispatcher may take. If they take more, the largest ledger
   * drops its oldest reading, so that a robot with large scans does not take memory from others.
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
     * Returns the largest ledger, without those of runs that are given up: these do not grow, and
     * their readings must still be reported as lost.
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

  /** Number of readings that wait for their turn. */
  private int waiting;

  /** Memory of the readings that are kept, bytes. */
  private long bytes;

  /** Number up to which all readings are in a checkpoint. */
  private long durable;

  /** Number up to which all readings had their turn, or were refused before it. */
  private long lastTurn;

  /** The robot's message that the run has ended; null until it has come. */
  private Arrival.OfEnd end;

  /**
   * True from {@link #resume} to {@link #suspend}, and still after the run's end. While false, the
   * states and {@code lastTurn} are left over from before the suspension.
   */
  private boolean isResumed;

  /**
   * True if readings that have not had their turn in this epoch may have been answered in an
   * earlier one.
   */
  private boolean mayBeAnswered;

  /** Number of readings refused with TOO_MANY_WAITING since the latest turn. */
  private int refusedSinceTurn;

  /** Gap at the latest tick; {@code askedAt} is the time at which it was asked for. */
  private Optional<Gap> latestGap = Optional.empty();

  private long askedAt;

  /** Number of the last reading that was asked for; readings up to it are never too many. */
  private long askedTo;

  /** True if the run is given up, so that no reading is dropped for lack of memory any more. */
  private boolean isGivenUp;

  /** Number of the last reading that was dropped before it was in a checkpoint; 0 for none. */
  private long lastDropped;

  /**
   * @param pendingAcks receipts of the readings
   * @param memory memory for the readings of all runs; if it is exceeded, the oldest readings are
   *     dropped, and their run cannot be restored any more
   */
  ReadingLedger(Run run, TopologySettings settings, PendingAcks pendingAcks, MemoryBudget memory) {
    this.run = run;
    this.settings = settings;
    this.pendingAcks = pendingAcks;
    this.memory = memory;
  }

  // --- readings that come ------------------------------------------------------------------------

  /** Takes a reading that has come, and returns the reply to it. */
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

  /** Keeps a reading; returns false if it is here already, or is in a checkpoint. */
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
      entry.state = State.SETTLED; // It was dropped before, and comes again.
    }
    memory.change(this, bytes(reading));
    memory.makeRoom();
    return true;
  }

  /**
   * Decides whether a reading that is kept waits for its turn or is refused; called again after a
   * restore.
   */
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
    if (entry == null) { // Dropped at once for lack of memory, but processed all the same.
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
   * Notes that the run ends after a number of readings. A repeated message replaces the first, as
   * it may have more recent data of the robot.
   */
  void receive(Arrival.OfEnd last) {
    if (end == null || end.sequence() == last.sequence()) {
      end = last;
    }
  }

  /** Returns the robot's message that the run has ended; null until it has come. */
  Arrival.OfEnd end() {
    return end;
  }

  /**
   * Returns the missing readings to ask for at this tick. Readings may still be on their way, so
   * they are asked for when they are missing at two ticks, and again every 5 s until they come.
   *
   * @param now the time by the dispatcher's clock, nanoseconds
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
    askedTo = Math.max(askedTo, gap.get().last()); // These are never too many.
    return gap;
  }

  /**
   * Returns the missing readings before the first one that waits, or before the run's end; empty if
   * none are missing.
   */
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
   * Marks a reading to be refused when it comes or is judged next. The broker keeps the reading
   * until the refusal is in a checkpoint.
   *
   * @return the reading; empty if it is refused already, or is not here yet
   */
  Optional<Arrival.OfReading> refuseLater(long sequence, Refusal.Reason why) {
    Entry entry = entries.computeIfAbsent(sequence, unknown -> new Entry());
    if (entry.refusal != null) {
      return Optional.empty();
    }
    entry.refusal = why;
    return entry.isKept ? Optional.of(entry.reading) : Optional.empty();
  }

  /** Returns the reason for which a reading is refused before its turn; null if it is not. */
  Refusal.Reason refusal(long sequence) {
    Entry entry = entries.get(sequence);
    return entry == null ? null : entry.refusal;
  }

  /**
   * Returns the numbers after {@link #lastTurn} of readings that were refused before their turn,
   * ascending.
   */
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
   * Begins or resumes the run after its checkpoint: no later reading has had its turn, and the
   * caller must {@link #judge} all readings of {@link #after} anew, in order.
   *
   * @param refusedAhead numbers of readings after the checkpoint that were refused before their
   *     turn
   * @param mayBeAnswered true if readings after the checkpoint may have been answered before
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

  /** Suspends the run: until {@link #resume}, readings that come are only kept. */
  void suspend() {
    isResumed = false;
  }

  /** Returns the number up to which all readings are in a checkpoint. */
  long durable() {
    return durable;
  }

  /** Returns the number up to which all readings had their turn, or were refused before it. */
  long lastTurn() {
    skipRefused();
    return lastTurn;
  }

  /**
   * Returns the waiting reading whose turn is next, without taking it out; null if it has not come.
   */
  Arrival.OfReading next() {
    skipRefused();
    Entry next = entries.get(lastTurn + 1);
    return Entry.isIn(next, State.WAITING) ? next.reading : null;
  }

  /** Gives the {@link #next} reading its turn and settles it at once, without processing. */
  void settleNext() {
    takeTurn();
    settle(lastTurn);
  }

  /** Gives the {@link #next} reading its turn: it is in the filter from now on. */
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

  /** Returns the readings in the filter, in the order of their turns. */
  Deque<InFlightReading> inFlight() {
    return inFlight;
  }

  /** Settles the first reading in the filter, which is done. */
  void settleFirst() {
    settle(inFlight.removeFirst().sequence());
  }

  /** Settles the last reading in the filter, which is not processed after all. */
  void settleLast() {
    settle(inFlight.removeLast().sequence());
  }

  // --- kept readings -----------------------------------------------------------------------------

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
    lastDropped = Math.max(lastDropped, eldest); // The oldest may be one that came again.
    release(eldest);
    acknowledgeUpTo(eldest);
  }

  /**
   * Frees a reading, which then is not processed again after a restore. If it waits for its turn or
   * is in the filter, it is still processed this time.
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

  /** Drops a reading and acknowledges it: it will not be processed. */
  void drop(long sequence) {
    if (entries.containsKey(sequence)) {
      release(sequence);
    }
    pendingAcks.acknowledge(run, sequence);
  }

  /** Forgets and acknowledges the readings up to a number, which are in a checkpoint. */
  void forgetTo(long sequence) {
    durable = sequence;
    acknowledgeUpTo(sequence);
    NavigableMap<Long, Entry> forgotten = entries.headMap(sequence, true);
    memory.change(this, -kept(forgotten).mapToLong(ReadingLedger::bytes).sum());
    forgotten.values().forEach(each -> each.isKept = false);
    forgotten.values().removeIf(each -> each.state != State.IN_FLIGHT);
  }

  /** Notes that the run is given up: its readings stay here, to be reported as lost. */
  void giveUp() {
    isGivenUp = true;
  }

  /** Forgets and acknowledges all readings. */
  void close() {
    forgetTo(PendingAcks.END);
  }

  /** Returns true if no reading is kept. */
  boolean isEmpty() {
    return kept(entries).findAny().isEmpty();
  }

  /**
   * Returns true if the run's first reading is here, so that the run can begin without a
   * checkpoint.
   */
  boolean hasFirst() {
    Entry first = entries.get(1L);
    return first != null && first.isKept;
  }

  /** Returns true if the run can be restored: all readings since its checkpoint are here. */
  boolean isWhole() {
    return lastDropped <= durable;
  }

  private static Stream<Arrival.OfReading> kept(Map<Long, Entry> entries) {
    return entries.values().stream().filter(each -> each.isKept).map(each -> each.reading);
  }

  /** Returns the kept readings after a number, in order. */
  List<Arrival.OfReading> after(long sequence) {
    return kept(entries.tailMap(sequence, false)).toList();
  }

  // --- receipts ----------------------------------------------------------------------------------

  /**
   * Acknowledges the readings up to a number, so that the broker will not deliver them again; all
   * messages of the run for {@link PendingAcks#END}.
   */
  void acknowledgeUpTo(long sequence) {
    pendingAcks.acknowledgeUpTo(run, sequence);
  }

  /** Returns the number of messages of the run that are not acknowledged. */
  int pendingAcks() {
    return pendingAcks.count(run);
  }
}
