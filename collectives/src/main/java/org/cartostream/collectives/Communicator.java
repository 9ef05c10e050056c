package org.cartostream.collectives;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cartostream.collectives.algorithm.AlgorithmPhase;
import org.cartostream.collectives.algorithm.AlgorithmSelector;
import org.cartostream.collectives.algorithm.BruckAllGather;
import org.cartostream.collectives.algorithm.CompletedPhase;
import org.cartostream.collectives.algorithm.DirectExchange;
import org.cartostream.collectives.algorithm.RingReduction;
import org.cartostream.collectives.algorithm.TreeBroadcast;
import org.cartostream.collectives.engine.Member;
import org.cartostream.collectives.engine.OperationPlan;
import org.cartostream.collectives.membership.GroupMembership;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.DropCounts;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.Reduction;
import org.cartostream.collectives.operation.RoundKey;
import org.cartostream.collectives.transport.GroupChannel;

/**
 * A member's collective operations with its group. The package's description says what holds for
 * all of them.
 *
 * <p>Immutable: {@link #withAlgorithm} and {@link #withCompletion} give another view of the same
 * member. Every call returns at once; a payload may be changed as soon as it has returned. The
 * arrays of a result are the caller's own, except that a broadcast gives its root the array that it
 * sent.
 */
public final class Communicator implements AutoCloseable {

  private static final byte[] NOTHING = {};
  private static final byte[][] NO_BLOCKS = {};

  private final Member member;
  private final ScheduledExecutorService clock;
  private final Algorithm algorithm;
  private final CompletionMode completionMode;

  private Communicator(
      Member member,
      ScheduledExecutorService clock,
      Algorithm algorithm,
      CompletionMode completionMode) {
    this.member = member;
    this.clock = clock;
    this.algorithm = algorithm;
    this.completionMode = completionMode;
  }

  /**
   * Opens a channel, with a thread that looks at the time; callbacks run in the threads that bring
   * the ends of calls.
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
    return new Communicator(member, clock, Algorithm.AUTO, CompletionMode.TOGETHER);
  }

  /** This member's rank, 0 to {@link #size} - 1. */
  public int rank() {
    return member.rank();
  }

  /** Members of the group, this one included. */
  public int size() {
    return member.size();
  }

  /** Returns the same member with another algorithm; all members must choose the same. */
  public Communicator withAlgorithm(Algorithm other) {
    return new Communicator(member, clock, other, completionMode);
  }

  /** Returns the same member with calls that end so; all members must choose the same. */
  public Communicator withCompletion(CompletionMode other) {
    return new Communicator(member, clock, algorithm, other);
  }

  /** Ends when all members have called it. */
  public CollectiveFuture<Void> barrier(RoundKey key) {
    Function<byte[][], AlgorithmPhase> phase =
        choice(AlgorithmSelector.allGather(size())) == Algorithm.FLAT
            ? start -> spread(all(), NOTHING, Algorithm.FLAT)
            : start -> new BruckAllGather(rank(), size(), NOTHING);
    return enter(key, Operation.BARRIER, 0, CompletionMode.ALONE, List.of(phase), blocks -> null);
  }

  /**
   * Brings the root's payload to all.
   *
   * @param payload the root's; what others give is not looked at and may be null
   */
  public CollectiveFuture<byte[]> broadcast(RoundKey key, int root, byte[] payload) {
    byte[] own = isRoot(root) ? member.stable(checked(payload)) : NOTHING;
    Algorithm by =
        isRoot(root)
            ? choice(AlgorithmSelector.spread(own.length, size(), member.partBytes(own.length)))
            : algorithm;
    return enter(
        key,
        Operation.BROADCAST,
        root,
        completionMode,
        List.of(start -> spread(only(root), own, by)),
        blocks -> isRoot(root) ? payload : blocks[root]);
  }

  /**
   * Brings each member the payload that the root has for it.
   *
   * @param payloads the root's, by rank; what others give is not looked at and may be null
   */
  public CollectiveFuture<byte[]> scatter(RoundKey key, int root, byte[][] payloads) {
    byte[][] outgoing = isRoot(root) ? checked(payloads) : new byte[size()][];
    return enter(
        key,
        Operation.SCATTER,
        root,
        completionMode,
        List.of(start -> new DirectExchange(rank(), outgoing, only(root), member::copied)),
        blocks -> blocks[isRoot(root) ? rank() : root]);
  }

  /** Brings the root the payloads of all, by rank; others an empty array. */
  public CollectiveFuture<byte[][]> gather(RoundKey key, int root, byte[] payload) {
    byte[] own = isRoot(root) ? checked(payload) : member.stable(checked(payload));
    return enter(
        key,
        Operation.GATHER,
        root,
        completionMode,
        List.of(start -> gathering(root, own)),
        blocks -> isRoot(root) ? blocks : NO_BLOCKS);
  }

  /** Brings all the payloads of all, by rank; they may differ in length. */
  public CollectiveFuture<byte[][]> allGather(RoundKey key, byte[] payload) {
    byte[] own = member.copied(checked(payload));
    Function<byte[][], AlgorithmPhase> phase =
        choice(AlgorithmSelector.allGather(size())) == Algorithm.DOUBLING
            ? start -> new BruckAllGather(rank(), size(), own)
            : start -> spread(all(), own, choice(Algorithm.FLAT));
    return enter(key, Operation.ALL_GATHER, 0, completionMode, List.of(phase), Function.identity());
  }

  /** Brings the root what the payloads of all come to; others an empty array. */
  public CollectiveFuture<byte[]> reduce(
      RoundKey key, int root, byte[] payload, Reduction reduction) {
    byte[] own = member.copied(checked(payload));
    List<Function<byte[][], AlgorithmPhase>> phases =
        choice(AlgorithmSelector.reduce(own.length, size())) == Algorithm.RING
            ? List.of(start -> ring(own, reduction, root))
            : List.of(start -> gathering(root, own), blocks -> reduced(blocks, reduction, root));
    return enter(
        key,
        Operation.REDUCE,
        root,
        completionMode,
        phases,
        blocks -> isRoot(root) ? blocks[root] : NOTHING);
  }

  /** Brings all what the payloads of all come to. */
  public CollectiveFuture<byte[]> allReduce(RoundKey key, byte[] payload, Reduction reduction) {
    byte[] own = member.copied(checked(payload));
    List<Function<byte[][], AlgorithmPhase>> phases =
        switch (choice(AlgorithmSelector.allReduce(own.length, size()))) {
          case RING -> List.of(start -> ring(own, reduction, -1), this::ownBlockFirst);
          case FLAT ->
              List.of(
                  start -> gathering(0, own),
                  blocks -> reduced(blocks, reduction, 0),
                  blocks -> spread(only(0), isRoot(0) ? blocks[0] : NOTHING, Algorithm.FLAT));
          default ->
              List.of(
                  start -> new BruckAllGather(rank(), size(), own),
                  blocks -> new CompletedPhase(new byte[][] {reduction.fold(blocks)}));
        };
    return enter(key, Operation.ALL_REDUCE, 0, completionMode, phases, blocks -> blocks[0]);
  }

  /**
   * Brings each member, by rank, what the others have for it.
   *
   * @param payloads by rank, what this member has for each; they may differ in length
   */
  public CollectiveFuture<byte[][]> allToAll(RoundKey key, byte[][] payloads) {
    byte[][] outgoing = checked(payloads);
    return enter(
        key,
        Operation.ALL_TO_ALL,
        0,
        completionMode,
        List.of(start -> new DirectExchange(rank(), outgoing, all(), member::copied)),
        Function.identity());
  }

  private <T> CollectiveFuture<T> enter(
      RoundKey key,
      Operation operation,
      int root,
      CompletionMode mode,
      List<Function<byte[][], AlgorithmPhase>> phases,
      Function<byte[][], T> finish) {
    operation.check(algorithm);
    Objects.checkIndex(root, size());
    CollectiveFuture<T> collectiveFuture = new CollectiveFuture<>();
    List<Function<byte[][], AlgorithmPhase>> all =
        OperationPlan.phases(phases, mode, rank(), size());
    member.enter(key, new OperationPlan<>(operation, root, all, finish, collectiveFuture));
    return collectiveFuture;
  }

  private Algorithm choice(Algorithm automatic) {
    return algorithm == Algorithm.AUTO ? automatic : algorithm;
  }

  private boolean isRoot(int root) {
    return root == rank();
  }

  private static BitSet only(int rank) {
    BitSet ranks = new BitSet();
    ranks.set(rank);
    return ranks;
  }

  private BitSet all() {
    BitSet ranks = new BitSet(size());
    ranks.set(0, size());
    return ranks;
  }

  private AlgorithmPhase spread(BitSet origins, byte[] own, Algorithm by) {
    return new TreeBroadcast(
        rank(), size(), origins, own, by, member.partBytes(own.length), member.maxPayloadBytes());
  }

  private AlgorithmPhase gathering(int root, byte[] own) {
    byte[][] outgoing = new byte[size()][];
    outgoing[root] = own;
    return new DirectExchange(
        rank(), outgoing, isRoot(root) ? all() : new BitSet(), member::copied);
  }

  private AlgorithmPhase reduced(byte[][] blocks, Reduction reduction, int root) {
    byte[][] result = new byte[size()][];
    if (isRoot(root)) {
      result[root] = reduction.fold(blocks);
    }
    return new CompletedPhase(result);
  }

  private AlgorithmPhase ring(byte[] own, Reduction reduction, int root) {
    return new RingReduction(
        rank(),
        size(),
        own,
        reduction,
        member.partBytes(own.length),
        member.maxPayloadBytes(),
        root);
  }

  private AlgorithmPhase ownBlockFirst(byte[][] blocks) {
    return new CompletedPhase(new byte[][] {blocks[rank()]});
  }

  private byte[] checked(byte[] payload) {
    return checked(payload, -1);
  }

  /**
   * @param to whom it is for; -1 for nobody in particular
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
      if (to != rank()) {
        kept[to] = member.stable(payloads[to]);
      }
    }
    return kept;
  }

  /**
   * Reports that a member is gone, when something else than the channel has found out, as {@link
   * GroupMembership} does. Calls that need something of it end; those of a later epoch count on it
   * again.
   */
  public void lost(int rank, String why) {
    member.lost(List.of(Objects.checkIndex(rank, size())), why);
  }

  /**
   * Gives back arrays that calls have brought, when nothing uses them any more: what comes next is
   * put into them, if it has the same length. That is much faster for large payloads, but not
   * needed.
   */
  public void reuse(byte[]... arrays) {
    for (byte[] array : arrays) {
      member.reuse(array);
    }
  }

  /**
   * Forgets a robot; calls that run for it end with an error. If a later epoch has begun, nothing
   * is forgotten: another member is in that already, and what it has sent is needed.
   *
   * @param epoch that is over
   */
  public void forget(String robot, long epoch) {
    member.forget(robot, epoch);
  }

  /** Returns the counts of messages that this member has dropped so far. */
  public DropCounts counts() {
    return member.counts();
  }

  /**
   * Leaves the group. Calls that run here end with an error; at others so do those that still lack
   * something of this member, and with them all of the same round that have not ended.
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
