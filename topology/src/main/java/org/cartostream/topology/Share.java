package org.cartostream.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.Resampling;
import org.cartostream.slam.filter.Step;

/**
 * One task's share in one run: its particles, and how far they are with the current key frame.
 *
 * <p>Owns the {@link Partition}. A key frame goes through {@code IDLE → JUDGED → EXCHANGING →
 * IDLE}. Particles from other tasks may come before this task's own verdict; they are kept until
 * all are there, and then taken in by the order of the moves, whatever the order of arrival.
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
    EXCHANGING
  }

  private final Run run;
  private final int task;
  private final Partition partition;
  private final X exchange;
  private final Outlet<Payload.Ready> readies;
  private final Map<Integer, Parcel> arrived = new HashMap<>();
  private final List<Move> expected = new ArrayList<>();

  private State state = State.IDLE;
  private Step step;
  private long since;
  private long matchNanos;
  private long resampleNanos;
  private long bytesMoved;

  Share(Run run, int task, Partition partition, X exchange, Outlet<Payload.Ready> readies) {
    this.run = run;
    this.task = task;
    this.partition = partition;
    this.exchange = exchange;
    this.readies = readies;
  }

  X exchange() {
    return exchange;
  }

  /** True if the verdict about this key frame is still to come. */
  boolean waitsForVerdict(long sequence) {
    return state == State.JUDGED && step.sequence() == sequence;
  }

  /**
   * True if {@code next} is the key frame that these particles wait for: not one that they have
   * seen, and not a first one again, which would put them back to the origin.
   */
  boolean canMatch(Step next) {
    boolean follows =
        step == null ? next.first() : !next.first() && step.sequence() < next.sequence();
    return state == State.IDLE && follows;
  }

  /** Matches, and lets the others know. */
  void match(Step next) {
    step = next;
    since = System.nanoTime();
    Beliefs beliefs = partition.match(step);
    matchNanos = lap();
    state = State.JUDGED;
    exchange.believe(beliefs, step.first());
  }

  /** Sends away what must go, and keeps what stays. */
  void judge(Resampling resampling, int[] owners, Move[] moves) {
    if (!waitsForVerdict(resampling.sequence())) {
      return;
    }
    resampleNanos = lap();
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
    state = State.EXCHANGING;
    finishIfComplete();
  }

  /** Takes a particle that another task sent. */
  void receive(Parcel parcel) {
    boolean current = state != State.IDLE && parcel.sequence() == step.sequence();
    if (current) {
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
    partition.receive(expected.stream().map(move -> arrived.get(move.parent())).toList());
    expected.clear();
    arrived.clear();
    long exchangeNanos = lap();
    partition.register(step);
    long registerNanos = lap();
    state = State.IDLE;
    Effort effort = new Effort(matchNanos, resampleNanos, exchangeNanos, registerNanos, bytesMoved);
    readies.emit(new Payload.Ready(run, task, step.sequence(), effort));
  }

  /** Nanoseconds since the last lap. */
  private long lap() {
    long now = System.nanoTime();
    long lap = now - since;
    since = now;
    return lap;
  }
}
