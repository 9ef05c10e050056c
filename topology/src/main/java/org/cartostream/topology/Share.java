package org.cartostream.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.Resampling;
import org.cartostream.slam.filter.Step;

/**
 * One task's share in one run: its particles, and how far they are with the current key frame.
 *
 * <p>Owns the {@link Partition}, and the key frame that comes next if it is here already. A key
 * frame goes through {@code IDLE → JUDGED → EXCHANGING → IDLE}. Particles from other tasks may come
 * before this task's own verdict; they are kept until all are there, and then taken in by the order
 * of the moves, whatever the order of arrival. The next key frame is begun as soon as this task's
 * own maps are done, whatever the others do.
 *
 * @param <X> how it reaches the other tasks' shares
 */
final class Share<X extends Exchange> {

  private enum State {
    /** Waits for a key frame. */
    IDLE,
    /** Waits for the verdict. */
    JUDGED,
    /** Waits for particles from other tasks. */
    EXCHANGING,
    /** Waits for nothing any more: another share takes its place. */
    SETTLED
  }

  private final Run run;
  private final int task;
  private final Partition partition;
  private final X exchange;
  private final IntSupplier active;
  private final Outlet<Payload.Ready> readies;
  private final Map<Integer, Parcel> arrived = new HashMap<>();
  private final List<Move> expected = new ArrayList<>();

  private State state = State.IDLE;

  /** The key frame before, in case those who tell of it die. */
  private Step before;

  private Step step;
  private Step ahead;
  private long done;
  private long round;
  private long doneWhenAsked;
  private long bornAfter;
  private int generation;
  private Beliefs beliefs;
  private List<Beliefs> unjudged = List.of();
  private long from;
  private long matched;
  private long judged;
  private long sent;
  private long bytesMoved;
  private long registerNanos;

  /**
   * @param active how many tasks are to hold particles, as this one hears; 0 for all
   */
  Share(
      Run run,
      int task,
      Partition partition,
      X exchange,
      IntSupplier active,
      Outlet<Payload.Ready> readies) {
    this.active = active;
    this.run = run;
    this.task = task;
    this.partition = partition;
    this.exchange = exchange;
    this.readies = readies;
  }

  /**
   * Begins in the middle of a run.
   *
   * @param seen the latest key frame, which its particles have taken in
   * @param number how often the run has begun again
   */
  void beginAfter(Step seen, int number) {
    step = seen;
    done = seen.sequence();
    bornAfter = done;
    generation = number;
  }

  /** How often the run had begun again when it began. */
  int generation() {
    return generation;
  }

  /** True if its particles are those that were left when this generation began. */
  boolean rests(int number) {
    return state == State.SETTLED
        || (state == State.IDLE && generation == number && done == bornAfter);
  }

  /** The key frames that it was given last, in their order. */
  Step[] steps() {
    return java.util.stream.Stream.of(before, step, ahead)
        .filter(Objects::nonNull)
        .toArray(Step[]::new);
  }

  X exchange() {
    return exchange;
  }

  /** A round of questions has begun here; it may be heard of again. */
  void asked(long newest) {
    if (newest != round) {
      round = newest;
      doneWhenAsked = done;
    }
  }

  /** Number of the key frame with which it was done when {@link #asked}; 0 for none. */
  long doneWhenAsked() {
    return doneWhenAsked;
  }

  /** Number of the key frame with which it is done; 0 for none. */
  long done() {
    return done;
  }

  /** True if this key frame waits for something of other tasks. */
  boolean waits(long sequence) {
    return (state == State.JUDGED || state == State.EXCHANGING) && step.sequence() == sequence;
  }

  /** True if the verdict about this key frame is still to come. */
  boolean waitsForVerdict(long sequence) {
    return state == State.JUDGED && step.sequence() == sequence;
  }

  /**
   * Matches a key frame, now or as soon as the one before is done; one that was seen is dropped.
   */
  void take(Step next) {
    if (state == State.SETTLED || !follows(next)) {
      return;
    }
    if (state == State.IDLE) {
      match(next);
    } else {
      ahead = next; // The dispatcher admits no further one before this one is begun.
    }
  }

  /** Not one that was seen, and not a first one again, which would put particles to the origin. */
  private boolean follows(Step next) {
    Step latest = ahead == null ? step : ahead;
    return latest == null ? next.first() : !next.first() && latest.sequence() < next.sequence();
  }

  private void match(Step next) {
    before = step;
    step = next;
    from = System.nanoTime();
    beliefs = partition.match(step);
    state = State.JUDGED;
    long took = System.nanoTime() - from + registerNanos;
    exchange.believe(new Statement(beliefs, took, active.getAsInt()), step.first());
    matched = System.nanoTime(); // To pack what it believes is work of this task, too.
  }

  /** Sends away what must go, and keeps what stays. */
  void judge(Resampling resampling, int[] owners, Move[] moves) {
    if (!waitsForVerdict(resampling.sequence())) {
      return;
    }
    judged = System.nanoTime();
    bytesMoved = 0;
    for (Move move : moves) {
      if (move.from() == task) {
        Parcel parcel = partition.send(move);
        bytesMoved += parcel.bytes();
        exchange.send(move, parcel);
      }
      if (move.to() == task) {
        expected.add(move);
      }
    }
    exchange.sent(step.sequence(), moves);
    partition.resample(resampling, owners);
    sent = System.nanoTime();
    state = State.EXCHANGING;
    finishIfComplete();
  }

  /** Takes a particle that another task sent. */
  void receive(Parcel parcel) {
    if (waits(parcel.sequence())) {
      arrived.putIfAbsent(parcel.parent(), parcel);
      if (state == State.EXCHANGING) {
        finishIfComplete();
      }
    }
  }

  private void finishIfComplete() {
    if (arrived.size() < expected.size()) {
      return;
    }
    long allHere = expected.isEmpty() ? sent : System.nanoTime();
    partition.receive(expected.stream().map(move -> arrived.get(move.parent())).toList());
    expected.clear();
    arrived.clear();
    long complete = System.nanoTime();
    partition.register(step);
    long registered = System.nanoTime();
    registerNanos = registered - complete;
    done = step.sequence();
    state = State.IDLE;
    Stint stint =
        new Stint(
            task, partition.size(), from, matched, judged, sent, allHere, registered, bytesMoved);
    readies.emit(new Payload.Ready(run, step.sequence(), stint));
    beginNext();
  }

  /** Numbers of the particles that it holds, ascending. */
  int[] particles() {
    return partition.particles().stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Ends the open key frames without the other tasks, for one of them has died: what was to come
   * from it does not, and every particle that is here takes in the scan where it is. The share
   * takes no more key frames; asked again, it says the same.
   *
   * @param open key frames, in their order
   * @return what the particles believed of those on which no verdict was heard
   */
  List<Beliefs> settle(List<Step> open) {
    if (state != State.SETTLED) {
      unjudged = new ArrayList<>();
      endCurrent();
      for (Step next : open) {
        if (next.sequence() > step.sequence()) {
          step = next;
          unjudged.add(partition.match(next));
          partition.settle();
        }
      }
      state = State.SETTLED;
    }
    return unjudged;
  }

  private void endCurrent() {
    if (state == State.JUDGED) {
      unjudged.add(beliefs);
    } else if (state == State.EXCHANGING) {
      List<Move> came = expected.stream().filter(m -> arrived.containsKey(m.parent())).toList();
      partition.receive(came.stream().map(move -> arrived.get(move.parent())).toList());
    }
    if (state != State.IDLE) {
      partition.settle();
    }
  }

  /** A particle that is here, for the task that is to have copies of it. */
  Parcel whole(int particle, int[] copies) {
    return partition.whole(particle, copies);
  }

  private void beginNext() {
    Step next = ahead;
    ahead = null;
    if (next != null) {
      match(next);
    }
  }
}
