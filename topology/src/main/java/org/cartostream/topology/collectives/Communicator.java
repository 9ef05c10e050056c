package org.cartostream.topology.collectives;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A member's calls to its group. The package's description says what holds for all of them.
 *
 * <p>Immutable: {@link #by} and {@link #ending} give another view of the same member. Every call
 * returns at once; a payload may be changed as soon as it has returned. What a call brings are
 * arrays of the caller's own, except that a broadcast brings its root the array that it gave.
 */
public final class Communicator implements AutoCloseable {

  private static final byte[] NOTHING = {};
  private static final byte[][] NO_BLOCKS = {};

  private final Member member;
  private final ScheduledExecutorService clock;
  private final Algorithm algorithm;
  private final Ending ending;

  private Communicator(
      Member member, ScheduledExecutorService clock, Algorithm algorithm, Ending ending) {
    this.member = member;
    this.clock = clock;
    this.algorithm = algorithm;
    this.ending = ending;
  }

  /**
   * Opens a channel, with a thread that looks at the time; callbacks run in the threads that bring
   * the ends of calls.
   */
  public static Communicator open(Channel channel, CollectiveSettings settings) {
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "collectives-clock-" + channel.rank());
              thread.setDaemon(true);
              return thread;
            });
    Member member = new Member(channel, settings);
    channel.open(member);
    member.start(clock);
    return new Communicator(member, clock, Algorithm.AUTO, Ending.TOGETHER);
  }

  /** This member's rank, 0 to {@link #size} - 1. */
  public int rank() {
    return member.rank();
  }

  /** Members of the group, this one included. */
  public int size() {
    return member.size();
  }

  /** The same member with another algorithm; all members must choose the same. */
  public Communicator by(Algorithm other) {
    return new Communicator(member, clock, other, ending);
  }

  /** The same member with calls that end so; all members must choose the same. */
  public Communicator ending(Ending other) {
    return new Communicator(member, clock, algorithm, other);
  }

  /** Ends when all members have called it. */
  public Call<Void> barrier(RoundKey key) {
    Function<byte[][], Procedure> phase =
        choice(Choice.allGather(size())) == Algorithm.FLAT
            ? start -> spread(all(), NOTHING, Algorithm.FLAT)
            : start -> new Doubling(rank(), size(), NOTHING);
    return enter(key, Operation.BARRIER, 0, Ending.ALONE, List.of(phase), blocks -> null);
  }

  /**
   * Brings the root's payload to all.
   *
   * @param payload the root's; what others give is not looked at and may be null
   */
  public Call<byte[]> broadcast(RoundKey key, int root, byte[] payload) {
    byte[] own = isRoot(root) ? member.kept(checked(payload)) : NOTHING;
    Algorithm by =
        isRoot(root)
            ? choice(Choice.spread(own.length, size(), member.partBytes(own.length)))
            : algorithm;
    return enter(
        key,
        Operation.BROADCAST,
        root,
        ending,
        List.of(start -> spread(only(root), own, by)),
        blocks -> isRoot(root) ? payload : blocks[root]);
  }

  /**
   * Brings each member the payload that the root has for it.
   *
   * @param payloads the root's, by rank; what others give is not looked at and may be null
   */
  public Call<byte[]> scatter(RoundKey key, int root, byte[][] payloads) {
    byte[][] outgoing = isRoot(root) ? checked(payloads) : new byte[size()][];
    return enter(
        key,
        Operation.SCATTER,
        root,
        ending,
        List.of(start -> new Direct(rank(), outgoing, only(root), member::copied)),
        blocks -> blocks[isRoot(root) ? rank() : root]);
  }

  /** Brings the root the payloads of all, by rank; others an empty array. */
  public Call<byte[][]> gather(RoundKey key, int root, byte[] payload) {
    byte[] own = isRoot(root) ? checked(payload) : member.kept(checked(payload));
    return enter(
        key,
        Operation.GATHER,
        root,
        ending,
        List.of(start -> gathering(root, own)),
        blocks -> isRoot(root) ? blocks : NO_BLOCKS);
  }

  /** Brings all the payloads of all, by rank; they may differ in length. */
  public Call<byte[][]> allGather(RoundKey key, byte[] payload) {
    byte[] own = member.copied(checked(payload));
    Function<byte[][], Procedure> phase =
        choice(Choice.allGather(size())) == Algorithm.DOUBLING
            ? start -> new Doubling(rank(), size(), own)
            : start -> spread(all(), own, choice(Algorithm.FLAT));
    return enter(key, Operation.ALL_GATHER, 0, ending, List.of(phase), Function.identity());
  }

  /** Brings the root what the payloads of all come to; others an empty array. */
  public Call<byte[]> reduce(RoundKey key, int root, byte[] payload, Reduction reduction) {
    byte[] own = member.copied(checked(payload));
    List<Function<byte[][], Procedure>> phases =
        choice(Choice.reduce(sharedBytes(own, reduction), size())) == Algorithm.RING
            ? List.of(start -> chain(own, reduction, root))
            : List.of(start -> gathering(root, own), blocks -> folded(blocks, reduction, root));
    return enter(
        key,
        Operation.REDUCE,
        root,
        ending,
        phases,
        blocks -> isRoot(root) ? blocks[root] : NOTHING);
  }

  /** Brings all what the payloads of all come to. */
  public Call<byte[]> allReduce(RoundKey key, byte[] payload, Reduction reduction) {
    byte[] own = member.copied(checked(payload));
    List<Function<byte[][], Procedure>> phases =
        switch (choice(Choice.allReduce(sharedBytes(own, reduction), size()))) {
          case RING -> List.of(start -> chain(own, reduction, -1), this::ownBlockFirst);
          case FLAT ->
              List.of(
                  start -> gathering(0, own),
                  blocks -> folded(blocks, reduction, 0),
                  blocks -> spread(only(0), isRoot(0) ? blocks[0] : NOTHING, Algorithm.FLAT));
          default ->
              List.of(
                  start -> new Doubling(rank(), size(), own),
                  blocks -> new Given(new byte[][] {reduction.fold(blocks)}));
        };
    return enter(key, Operation.ALL_REDUCE, 0, ending, phases, blocks -> blocks[0]);
  }

  /**
   * Brings each member, by rank, what the others have for it.
   *
   * @param payloads by rank, what this member has for each; they may differ in length
   */
  public Call<byte[][]> allToAll(RoundKey key, byte[][] payloads) {
    byte[][] outgoing = checked(payloads);
    return enter(
        key,
        Operation.ALL_TO_ALL,
        0,
        ending,
        List.of(start -> new Direct(rank(), outgoing, all(), member::copied)),
        Function.identity());
  }

  private <T> Call<T> enter(
      RoundKey key,
      Operation operation,
      int root,
      Ending itsEnding,
      List<Function<byte[][], Procedure>> phases,
      Function<byte[][], T> finish) {
    operation.check(algorithm);
    Objects.checkIndex(root, size());
    Call<T> call = new Call<>();
    List<Function<byte[][], Procedure>> all = Script.phases(phases, itsEnding, rank(), size());
    member.enter(key, new Script<>(operation, root, all, finish, call));
    return call;
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

  private Procedure spread(BitSet origins, byte[] own, Algorithm by) {
    return new Spread(
        rank(), size(), origins, own, by, member.partBytes(own.length), member.maxPayloadBytes());
  }

  private Procedure gathering(int root, byte[] own) {
    byte[][] outgoing = new byte[size()][];
    outgoing[root] = own;
    return new Direct(rank(), outgoing, isRoot(root) ? all() : new BitSet(), member::copied);
  }

  private Procedure folded(byte[][] blocks, Reduction reduction, int root) {
    byte[][] result = new byte[size()][];
    if (isRoot(root)) {
      result[root] = reduction.fold(blocks);
    }
    return new Given(result);
  }

  private Procedure chain(byte[] own, Reduction reduction, int root) {
    return new Chain(
        rank(),
        size(),
        own,
        reduction,
        member.partBytes(own.length),
        member.maxPayloadBytes(),
        root);
  }

  private Procedure ownBlockFirst(byte[][] blocks) {
    return new Given(new byte[][] {blocks[rank()]});
  }

  /** Only elementwise reductions have payloads of one length, which all members can go by. */
  private static int sharedBytes(byte[] own, Reduction reduction) {
    return reduction.elementwise() ? own.length : 0;
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
              ? what + " is missing; an empty array says that there is none"
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
        kept[to] = member.kept(payloads[to]);
      }
    }
    return kept;
  }

  /**
   * Says that a member is gone, when something else than the channel has found out: {@link Roster},
   * say. Calls that need something of it end; those of a later epoch count on it again.
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

  /** What this member has dropped so far. */
  public Counts counts() {
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
