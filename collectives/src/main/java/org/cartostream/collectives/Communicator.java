package org.cartostream.collectives;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cartostream.collectives.algorithm.AlgorithmPhase;
import org.cartostream.collectives.algorithm.BruckAllGather;
import org.cartostream.collectives.algorithm.DirectExchange;
import org.cartostream.collectives.engine.Member;
import org.cartostream.collectives.engine.OperationPlan;
import org.cartostream.collectives.membership.GroupMembership;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.DropCounts;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.GroupChannel;

/**
 * Collective operations of one member with its group; the package's description says what holds for
 * all operations.
 *
 * <p>Immutable: {@link #withAlgorithm} gives another view of the same member. Every operation's
 * method returns at once; after that the payload's array may be changed. The arrays of a result
 * belong to the caller, except that a broadcast's root gets the very array that it gave.
 */
public final class Communicator implements AutoCloseable {

  private static final byte[] NOTHING = {};

  /** Number of members up to which one hop is faster than fewer messages for each sender. */
  private static final int FEW = 8;

  private final Member member;
  private final ScheduledExecutorService clock;
  private final Algorithm algorithm;

  private Communicator(Member member, ScheduledExecutorService clock, Algorithm algorithm) {
    this.member = member;
    this.clock = clock;
    this.algorithm = algorithm;
  }

  /**
   * Opens a channel, and starts a thread that checks timeouts. Callbacks run in whatever thread
   * ends their call.
   */
  public static Communicator open(GroupChannel groupChannel, CollectiveSettings settings) {
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "collectives-clock-" + groupChannel.rank());
              thread.setDaemon(true);
              return thread;
            });
    Member member = new Member(groupChannel, settings);
    groupChannel.open(member);
    member.start(clock);
    return new Communicator(member, clock, Algorithm.AUTO);
  }

  /** Returns this member's rank, 0 to {@link #size} - 1. */
  public int rank() {
    return member.rank();
  }

  /** Returns the number of members of the group, this one included. */
  public int size() {
    return member.size();
  }

  /**
   * Returns a view of this member whose calls use {@code other}; all members must choose the same
   * algorithm.
   */
  public Communicator withAlgorithm(Algorithm other) {
    return new Communicator(member, clock, other);
  }

  /** Waits for all: the call ends when all members have called the barrier. */
  public CollectiveFuture<Void> barrier(OperationKey key) {
    return enter(key, Operation.BARRIER, 0, toAll(NOTHING), blocks -> null);
  }

  /**
   * Brings the root's payload to all members.
   *
   * @param payload the payload that the root sends; ignored at other members, where it may be null
   */
  public CollectiveFuture<byte[]> broadcast(OperationKey key, int root, byte[] payload) {
    Objects.checkIndex(root, size());
    byte[][] outgoing = new byte[size()][];
    BitSet from = new BitSet();
    if (isRoot(root)) {
      Arrays.fill(outgoing, member.stable(checked(payload)));
    } else {
      from.set(root);
    }
    return enter(
        key,
        Operation.BROADCAST,
        root,
        new DirectExchange(rank(), outgoing, from),
        blocks -> isRoot(root) ? payload : blocks[root]);
  }

  /** Brings every member the payloads of all, by rank; payloads may differ in length. */
  public CollectiveFuture<byte[][]> allGather(OperationKey key, byte[] payload) {
    return enter(
        key, Operation.ALL_GATHER, 0, toAll(member.copied(checked(payload))), Function.identity());
  }

  /**
   * Brings each member the payloads that all have for it, by rank of their sender.
   *
   * @param payloads this member's payloads, by rank of their receiver; payloads may differ in
   *     length
   */
  public CollectiveFuture<byte[][]> allToAll(OperationKey key, byte[][] payloads) {
    return enter(
        key,
        Operation.ALL_TO_ALL,
        0,
        new DirectExchange(rank(), checked(payloads), all()),
        Function.identity());
  }

  private <T> CollectiveFuture<T> enter(
      OperationKey key,
      Operation operation,
      int root,
      AlgorithmPhase phase,
      Function<byte[][], T> finish) {
    operation.check(algorithm);
    CollectiveFuture<T> collectiveFuture = new CollectiveFuture<>();
    member.enter(key, new OperationPlan<>(operation, root, phase, finish, collectiveFuture));
    return collectiveFuture;
  }

  /** Returns the exchange in which each member sends one payload to all. */
  private AlgorithmPhase toAll(byte[] own) {
    boolean few = algorithm == Algorithm.AUTO ? size() <= FEW : algorithm == Algorithm.FLAT;
    if (!few) {
      return new BruckAllGather(rank(), size(), own);
    }
    byte[][] outgoing = new byte[size()][];
    Arrays.fill(outgoing, own);
    return new DirectExchange(rank(), outgoing, all());
  }

  private boolean isRoot(int root) {
    return root == rank();
  }

  private BitSet all() {
    BitSet ranks = new BitSet(size());
    ranks.set(0, size());
    return ranks;
  }

  private byte[] checked(byte[] payload) {
    return checked(payload, -1);
  }

  /**
   * @param to rank of the payload's receiver; -1 if it has more than one
   */
  private byte[] checked(byte[] payload, int to) {
    if (payload == null || payload.length > member.maxPayloadBytes()) {
      String what = to < 0 ? "the payload" : "the payload for rank " + to;
      throw new IllegalArgumentException(
          payload == null
              ? what + " is missing; an empty array means that there is none"
              : "%s has %d bytes; at most %d are allowed"
                  .formatted(what, payload.length, member.maxPayloadBytes()));
    }
    return payload;
  }

  private byte[][] checked(byte[][] payloads) {
    if (payloads == null || payloads.length != size()) {
      throw new IllegalArgumentException(
          (payloads == null ? "no payloads" : payloads.length + " payloads")
              + " were given; there must be one for each of the "
              + size()
              + " members");
    }
    byte[][] kept = payloads.clone();
    for (int to = 0; to < size(); to++) {
      checked(payloads[to], to);
      kept[to] = to == rank() ? member.copied(payloads[to]) : member.stable(payloads[to]);
    }
    return kept;
  }

  /**
   * Reports that a member is gone, if something other than the channel has noticed, such as {@link
   * GroupMembership}. Calls that still need a message of that member fail; calls of a later epoch
   * count on its rank again.
   */
  public void lost(int rank, String why) {
    member.lost(List.of(Objects.checkIndex(rank, size())), why);
  }

  /**
   * Gives arrays of results, which nothing uses any more, back to a pool, from which later payloads
   * of the same length get their arrays. Optional; much faster for large payloads.
   */
  public void reuse(byte[]... arrays) {
    for (byte[] array : arrays) {
      member.reuse(array);
    }
  }

  /**
   * Forgets a robot; its running calls end with an error. If a later epoch has begun, nothing is
   * forgotten: another member has entered that epoch already, and its messages are needed.
   *
   * @param epoch number of the epoch that is over
   */
  public void forget(String robot, long epoch) {
    member.forget(robot, epoch);
  }

  /** Returns the counts of messages that this member has dropped so far. */
  public DropCounts counts() {
    return member.counts();
  }

  /**
   * Leaves the group. Running calls of this member end with an error. So do the calls of others
   * that still lack a message of this member, and with them all calls of the same round that have
   * not ended.
   */
  @Override
  public void close() {
    member.close();
    clock.shutdownNow();
    try {
      clock.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
