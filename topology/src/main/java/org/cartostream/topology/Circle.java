package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.topology.collectives.Call;
import org.cartostream.topology.collectives.Communicator;
import org.cartostream.topology.collectives.Ending;
import org.cartostream.topology.collectives.RoundKey;

/**
 * One run's exchange by collectives: an all-gather of what the particles believe, a decision that
 * is the same on every task, and an all-to-all of the particles that move, if any do.
 *
 * <p>Owns the run's {@link Council} on this task and its latest decisions, the particles that are
 * to leave, and at which key frame a call failed. The run's order, and how often the run has begun
 * again, are the collectives' epoch: tasks that are still in an earlier run of the robot, or have
 * not heard that something was lost, are fenced off. Calls end alone: a task that lacks nothing
 * goes on with what it has, whether others do or not. Of particles that are too large for a frame
 * it waits until those who live have fetched them, or time is up.
 */
final class Circle implements Exchange {

  private static final byte[][] NOTHING = {};

  /** So often may a run begin again; much more often than processes die. */
  private static final int MOST_GENERATIONS = 1 << 10;

  private final Run run;
  private final long epoch;
  private final Council council;
  private final Communicator communicator;
  private final Packing packing;
  private final List<List<Parcel>> leaving = new ArrayList<>();
  private final Outlet.Direct<Payload.Brought> gathered;
  private final Outlet.Direct<Payload.Brought> exchanged;
  private long failedAt;

  /** What the latest all-gather has brought; written by whatever thread it ends in. */
  private volatile Payload.Brought latest;

  /** What was decided of the latest key frames. */
  private final Deque<Payload.Judgement> decided = new ArrayDeque<>();

  /**
   * @param epoch see {@link #epoch}
   * @param gathered says to a task what the all-gather has brought
   * @param exchanged says to a task what the all-to-all has brought
   */
  Circle(
      Run run,
      long epoch,
      Council council,
      Communicator communicator,
      Packing packing,
      Outlet.Direct<Payload.Brought> gathered,
      Outlet.Direct<Payload.Brought> exchanged) {
    this.run = run;
    this.epoch = epoch;
    this.council = council;
    this.communicator = communicator.ending(Ending.ALONE);
    this.packing = packing;
    this.gathered = gathered;
    this.exchanged = exchanged;
    for (int rank = 0; rank < communicator.size(); rank++) {
      leaving.add(new ArrayList<>());
    }
  }

  /**
   * The collectives' epoch of a run that has begun again so often.
   *
   * @throws IllegalArgumentException if that is too often
   */
  static long epoch(Run run, int generation) {
    if (generation >= MOST_GENERATIONS) {
      throw new IllegalArgumentException(
          run + " has begun again " + generation + " times; at most " + MOST_GENERATIONS);
    }
    return run.order() * MOST_GENERATIONS + generation;
  }

  /** The last epoch that a run can have. */
  static long lastEpoch(Run run) {
    return epoch(run, MOST_GENERATIONS - 1);
  }

  @Override
  public void believe(Statement statement, boolean first) {
    long sequence = statement.beliefs().sequence();
    RoundKey key = new RoundKey(run.robot(), epoch, 2 * sequence);
    whenEnded(
        communicator.allGather(key, packing.pack(statement)),
        sequence,
        brought -> {
          latest = brought;
          gathered.emit(communicator.rank(), brought);
        });
  }

  /** A call of this key frame has failed. */
  void failedAt(long sequence) {
    failedAt = sequence;
  }

  /** Number of the key frame at which a call has failed; 0 for none. */
  long failedAt() {
    return failedAt;
  }

  /** What the latest all-gather has brought, whether it was heard of or not; null for nothing. */
  Payload.Brought latest() {
    return latest;
  }

  /** What all tasks decide from what all believe. */
  Council.Decision decide(byte[][] blocks) {
    Council.Decision decision =
        council.decide(Arrays.stream(blocks).map(packing::statement).toList());
    decided.addLast(decision.judgement(run));
    if (decided.size() > Admission.MOST_SERVING) {
      decided.removeFirst();
    }
    return decision;
  }

  /** What was decided of those key frames that may not be known to all yet, in their order. */
  Collection<Payload.Judgement> decided() {
    return decided;
  }

  @Override
  public void send(Move move, Parcel parcel) {
    leaving.get(move.to()).add(parcel);
  }

  @Override
  public void sent(long sequence, Move[] all) {
    if (all.length == 0) {
      return;
    }
    byte[][] blocks = leaving.stream().map(packing::pack).toArray(byte[][]::new);
    leaving.forEach(List::clear);
    RoundKey key = new RoundKey(run.robot(), epoch, 2 * sequence + 1);
    whenEnded(
        communicator.allToAll(key, blocks),
        sequence,
        brought -> exchanged.emit(communicator.rank(), brought));
  }

  /**
   * Lets this task know, as a message of its own. Storm's collector takes messages from any thread
   * since 2.8 (ExecutorTransfer has a serializer for each thread, and its queues take many
   * writers); and one to the task itself goes to its queue and nowhere else.
   */
  private void whenEnded(Call<byte[][]> call, long sequence, Consumer<Payload.Brought> then) {
    call.whenComplete(
        (blocks, why) ->
            then.accept(
                why == null
                    ? new Payload.Brought(run, sequence, blocks, "")
                    : new Payload.Brought(
                        run, sequence, NOTHING, String.valueOf(why.getMessage()))));
  }
}
