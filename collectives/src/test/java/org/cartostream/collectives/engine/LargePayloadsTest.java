package org.cartostream.collectives.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.ForwardingChannel;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.RandomOperation;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.RoundKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.Slice;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.settings.Settings;

/** Payloads that no frame may hold are fetched: they come whole, and wait nowhere. */
class LargePayloadsTest {

  private static final int PART_BYTES = 64;
  private static final int FRAME_BYTES = 160;

  static final CollectiveSettings SETTINGS =
      Settings.with(
          CollectiveSettings.defaults(),
          Map.of(
              "partBytes",
              Integer.toString(PART_BYTES),
              "maxFrameBytes",
              Integer.toString(FRAME_BYTES)));

  private static final CollectiveSettings HASTY = SETTINGS.withTimeoutMillis(1000);

  /** One byte less, or more, may make another part, or another frame. */
  private static final List<Integer> BOUNDARIES =
      List.of(0, PART_BYTES, FRAME_BYTES, 3 * PART_BYTES, 9 * PART_BYTES, 20 * PART_BYTES);

  private static final TcpTransport TRANSPORT = TcpTransport.plain(2);
  private static final Map<String, Group> GROUPS = new HashMap<>();
  private static long rounds;

  @AfterContainer
  static void close() {
    GROUPS.values().forEach(Group::close);
    GROUPS.clear();
    TRANSPORT.close();
  }

  @Provide
  Arbitrary<Object[]> kinds() {
    return Arbitraries.of(RandomOperation.kinds());
  }

  @Property(tries = 400)
  void comeWholeInMemory(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 1, max = 9) int size,
      @ForAll long seed)
      throws IOException {
    check(group("memory", size), kind, seed);
  }

  @Property(tries = 200)
  void comeWholeOverTcp(
      @ForAll("kinds") Object[] kind,
      @ForAll @IntRange(min = 2, max = 9) int size,
      @ForAll long seed)
      throws IOException {
    check(group("tcp", size), kind, seed);
  }

  private static Group group(String channel, int size) throws IOException {
    Group group = GROUPS.get(channel + size);
    if (group == null) {
      group =
          channel.equals("memory")
              ? Group.inMemory(size, SETTINGS)
              : Group.overTcp(size, TRANSPORT, SETTINGS);
      GROUPS.put(channel + size, group);
    }
    return group;
  }

  private static RandomOperation work(Object[] kind, int size, long seed) {
    Random random = new Random(seed);
    byte[][] payloads = bytes(size, random);
    byte[][][] parcels = new byte[size][][];
    Arrays.setAll(parcels, from -> bytes(size, random));
    int count = bytes(random).length / Double.BYTES;
    double[][] numbers = new double[size][];
    Arrays.setAll(numbers, from -> random.doubles(count).toArray());
    return new RandomOperation(
        (Operation) kind[0],
        (Algorithm) kind[1],
        random.nextBoolean() ? CompletionMode.TOGETHER : CompletionMode.ALONE,
        random.nextInt(size),
        payloads,
        parcels,
        numbers);
  }

  private static byte[][] bytes(int size, Random random) {
    return IntStream.range(0, size).mapToObj(i -> bytes(random)).toArray(byte[][]::new);
  }

  private static byte[] bytes(Random random) {
    int boundary = BOUNDARIES.get(random.nextInt(BOUNDARIES.size()));
    byte[] bytes = new byte[Math.max(0, boundary + random.nextInt(3) - 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Members spoil what they gave as soon as their call returns, though it is yet to be fetched. */
  static void check(Group group, Object[] kind, long seed) {
    RandomOperation randomOperation = work(kind, group.size(), seed);
    RandomOperation given = work(kind, group.size(), seed);
    RoundKey key = Group.round(++rounds);
    List<CollectiveFuture<?>> collectiveFutures = new ArrayList<>();
    for (int rank = 0; rank < group.size(); rank++) {
      collectiveFutures.add(given.call(group.member(rank), key));
      if (randomOperation.operation()
          != Operation.BROADCAST) { // Whose root is brought what it gave.
        Arrays.fill(given.payloads()[rank], (byte) 7);
        Arrays.stream(given.parcels()[rank]).forEach(parcel -> Arrays.fill(parcel, (byte) 7));
      }
    }
    assertWhole(randomOperation, collectiveFutures);
  }

  private static void assertWhole(
      RandomOperation randomOperation, List<CollectiveFuture<?>> collectiveFutures) {
    for (int rank = 0; rank < collectiveFutures.size(); rank++) {
      assertThat(Group.result(collectiveFutures.get(rank)))
          .as("%s, rank %d", randomOperation, rank)
          .isEqualTo(randomOperation.expected(rank));
    }
  }

  /** Though each payload is more than may wait there, and the last member is late. */
  @Example
  void waitNowhere() throws IOException {
    int size = 3;
    CollectiveSettings narrow = Settings.with(SETTINGS, Map.of("maxWaitingBytes", "7500"));
    for (Object[] kind : RandomOperation.kinds()) {
      Random random = new Random(5);
      byte[][] large = new byte[size][20_000];
      byte[][][] parcels = new byte[size][][];
      Arrays.stream(large).forEach(random::nextBytes);
      Arrays.setAll(parcels, from -> large);
      double[][] numbers = new double[size][2500];
      RandomOperation randomOperation =
          new RandomOperation(
              (Operation) kind[0],
              (Algorithm) kind[1],
              CompletionMode.ALONE,
              size - 1,
              large,
              parcels,
              numbers);
      for (Group group :
          List.of(Group.inMemory(size, narrow), Group.overTcp(size, TRANSPORT, narrow))) {
        try (group) {
          List<CollectiveFuture<?>> collectiveFutures = new ArrayList<>();
          for (int rank = 0; rank < size; rank++) {
            collectiveFutures.add(randomOperation.call(group.member(rank), Group.round(1)));
          }
          assertWhole(randomOperation, collectiveFutures);
        }
      }
    }
  }

  @Example
  void robotsDoNotWaitForEachOther() throws IOException {
    Group group = group("tcp", 3);
    Random random = new Random(6);
    Object[] allToAll = {Operation.ALL_TO_ALL, Algorithm.FLAT};
    List<RandomOperation> randomOperations = new ArrayList<>();
    List<List<CollectiveFuture<?>>> calls = new ArrayList<>();
    for (int robot = 0; robot < 20; robot++) {
      randomOperations.add(work(allToAll, 3, random.nextLong()));
      calls.add(new ArrayList<>());
    }
    for (int rank = 0; rank < 3; rank++) {
      for (int i = 0; i < 20; i++) {
        int robot = rank == 1 ? 19 - i : i;
        RoundKey key = new RoundKey("many-" + robot, 1, 1);
        calls.get(robot).add(randomOperations.get(robot).call(group.member(rank), key));
      }
    }
    for (int robot = 0; robot < 20; robot++) {
      assertWhole(randomOperations.get(robot), calls.get(robot));
    }
  }

  /** Sends what a test lets through. */
  private static class Sieve extends ForwardingChannel {

    private final List<Frame> sent = new ArrayList<>();
    private Frame.Kind stopped;

    Sieve(GroupChannel groupChannel) {
      super(groupChannel);
    }

    @Override
    public int partBytes() {
      return PART_BYTES; // Also in memory.
    }

    @Override
    public void send(Frame frame, int... to) {
      sent.add(frame);
      if (frame.kind() != stopped) {
        super.send(frame, to);
      }
    }
  }

  /** Has more to send, as it says, than any array may hold. */
  private static final class Boaster extends Sieve {

    private boolean boasts = true;

    Boaster(GroupChannel groupChannel) {
      super(groupChannel);
    }

    @Override
    public void send(Frame frame, int... to) {
      super.send(boasts ? boast(frame) : frame, to);
    }

    private static Frame boast(Frame frame) {
      return switch (frame.kind()) {
        case OFFER -> {
          ByteBuffer what = ByteBuffer.allocate(2 * Integer.BYTES);
          what.put(frame.block().whole(), 0, Integer.BYTES).putInt(Integer.MAX_VALUE);
          yield frame.as(Frame.Kind.OFFER, List.of(Slice.of(what.array())));
        }
        case PIECE ->
            frame.about(
                frame.kind(),
                frame.source(),
                frame.step(),
                frame.offset(),
                Integer.MAX_VALUE,
                frame.blocks());
        default -> frame;
      };
    }
  }

  private static byte[][] two(int fill) {
    byte[][] two = new byte[2][1000];
    Arrays.fill(two[0], (byte) fill);
    Arrays.fill(two[1], (byte) fill);
    return two;
  }

  /** A pair in memory that speaks through sieves; one is of rank 1. */
  private static Group pair(Sieve one, MemoryGroup memory, CollectiveSettings settings) {
    return new Group(List.of(new Sieve(memory.channel(0)), one), settings);
  }

  private static void assertExchanged(Group group, RoundKey key, int fill) {
    CollectiveFuture<byte[][]> zero = group.member(0).allToAll(key, two(fill));
    CollectiveFuture<byte[][]> one = group.member(1).allToAll(key, two(fill));
    assertThat(Group.result(zero)).isDeepEqualTo(two(fill));
    assertThat(Group.result(one)).isDeepEqualTo(two(fill));
  }

  @Example
  void whatAnOlderEpochFetchesAndSendsIsDroppedAndCounted() {
    MemoryGroup memory = new MemoryGroup(2, SETTINGS);
    Sieve one = new Sieve(memory.channel(1));
    try (Group group = pair(one, memory, SETTINGS)) {
      assertExchanged(group, new RoundKey(Group.ROBOT, 1, 1), 1);
      List<Frame> old = List.copyOf(one.sent);
      assertThat(old.stream().map(Frame::kind).distinct())
          .contains(Frame.Kind.OFFER, Frame.Kind.FETCH, Frame.Kind.PIECE);
      CollectiveFuture<byte[][]> zero =
          group.member(0).allToAll(new RoundKey(Group.ROBOT, 2, 1), two(2));
      old.forEach(frame -> one.send(frame, 0));
      CollectiveFuture<byte[][]> later =
          group.member(1).allToAll(new RoundKey(Group.ROBOT, 2, 1), two(2));

      assertThat(group.member(0).counts().fenced()).isEqualTo(old.size());
      assertThat(Group.result(zero)).isDeepEqualTo(two(2));
      assertThat(Group.result(later)).isDeepEqualTo(two(2));
    }
  }

  @Example
  void whatComesOfARoundThatIsOverIsDroppedAndCounted() {
    MemoryGroup memory = new MemoryGroup(2, SETTINGS);
    Sieve one = new Sieve(memory.channel(1));
    try (Group group = pair(one, memory, SETTINGS)) {
      assertExchanged(group, Group.round(1), 1);
      List<Frame> old = List.copyOf(one.sent);
      old.forEach(frame -> one.send(frame, 0));
      assertThat(group.member(0).counts().late()).isEqualTo(old.size());
      assertExchanged(group, Group.round(2), 2);
    }
  }

  /** Two members call, and what rank 1 sends of one kind is stopped. */
  private record Stopped(
      Group group,
      Sieve one,
      CompletionMode ending,
      CollectiveFuture<byte[][]> lacks,
      CollectiveFuture<byte[][]> has) {

    static Stopped of(Frame.Kind kind, CompletionMode completionMode) {
      MemoryGroup memory = new MemoryGroup(2, HASTY);
      Sieve one = new Sieve(memory.channel(1));
      Group group = pair(one, memory, HASTY);
      one.stopped = kind;
      List<CollectiveFuture<byte[][]>> collectiveFutures = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        collectiveFutures.add(
            group.member(rank).withCompletion(completionMode).allToAll(Group.round(1), two(1)));
      }
      int lacks = kind == Frame.Kind.PIECE ? 0 : 1;
      return new Stopped(
          group,
          one,
          completionMode,
          collectiveFutures.get(lacks),
          collectiveFutures.get(1 - lacks));
    }
  }

  /**
   * Who offers and then says nothing, or never fetches: the calls end in time, and nothing stays.
   * Who has what is its own keeps it, unless all are to end together.
   */
  @Example
  void endInAnErrorWhereTheyStopComing() {
    List<Stopped> all = new ArrayList<>();
    for (Frame.Kind kind : List.of(Frame.Kind.PIECE, Frame.Kind.FETCH)) {
      all.add(Stopped.of(kind, CompletionMode.ALONE));
      all.add(Stopped.of(kind, CompletionMode.TOGETHER));
    }
    for (Stopped each : all) {
      try (Group group = each.group) {
        CollectiveException failure = Group.failure(each.lacks);
        assertThat(failure.reason()).isEqualTo(Reason.LATE);
        assertThat(failure.members()).hasSize(1); // Each waits for the other.
        if (each.ending == CompletionMode.ALONE) {
          assertThat(Group.result(each.has)).isDeepEqualTo(two(1));
        } else {
          assertThat(Group.failure(each.has).members()).hasSize(1);
        }
        each.one.stopped = null;
        assertExchanged(group, Group.round(2), 2);
      }
    }
  }

  @Example
  void nameTheMemberThatIsGoneBeforeItHasFetchedThemIfAllAreToEndTogether() {
    try (Group group = Group.inMemory(2, SETTINGS)) {
      CollectiveFuture<byte[]> collectiveFuture =
          group.member(0).broadcast(Group.round(1), 0, new byte[1000]);
      group.member(1).close();
      CollectiveException failure = Group.failure(collectiveFuture);
      assertThat(failure.reason()).isEqualTo(Reason.LOST);
      assertThat(failure.members()).containsExactly(1);
    }
  }

  @Example
  void areKeptForWhoeverLivesWhenAnotherIsGoneBeforeItHasFetchedThem() {
    try (Group group = Group.inMemory(3, SETTINGS)) {
      byte[] payload = two(3)[0];
      Communicator root = group.member(0).withCompletion(CompletionMode.ALONE);
      CollectiveFuture<byte[]> collectiveFuture = root.broadcast(Group.round(1), 0, payload);
      group.member(1).close();
      assertThat(collectiveFuture).isNotDone();
      Communicator late = group.member(2).withCompletion(CompletionMode.ALONE);
      assertThat(Group.result(late.broadcast(Group.round(1), 0, null))).isEqualTo(payload);
      assertThat(Group.result(collectiveFuture)).isEqualTo(payload);
    }
  }

  /** The thread that brings them serves other robots, too. */
  @Example
  void failTheirRoundAloneIfThereIsNoMemoryForThem() {
    CollectiveSettings any =
        new CollectiveSettings(
            SETTINGS.timeoutMillis(),
            PART_BYTES,
            FRAME_BYTES,
            Integer.MAX_VALUE,
            SETTINGS.maxWaitingBytes(),
            SETTINGS.maxPooledBytes(),
            SETTINGS.connectTimeoutMillis(),
            SETTINGS.maxRobots());
    MemoryGroup memory = new MemoryGroup(2, any);
    Boaster one = new Boaster(memory.channel(1));
    try (Group group = pair(one, memory, any)) {
      CollectiveFuture<byte[][]> zero = group.member(0).allToAll(Group.round(1), two(1));
      CollectiveFuture<byte[][]> other = group.member(1).allToAll(Group.round(1), two(1));
      CollectiveException failure = Group.failure(zero);
      assertThat(failure.reason()).isEqualTo(Reason.OVERFLOW);
      assertThat(failure).hasMessageContaining("no memory for what rank 1 sends");
      assertThat(Group.failure(other).members()).containsExactly(0);
      one.boasts = false;
      assertExchanged(group, Group.round(2), 2);
    }
  }

  @Example
  void areRefusedWhenNoArrayMayHoldThem() {
    CollectiveSettings narrow = Settings.with(SETTINGS, Map.of("maxPayloadBytes", "1024"));
    try (Group group = Group.inMemory(2, narrow)) {
      assertThatThrownBy(
              () -> group.member(0).allToAll(Group.round(1), new byte[][] {{}, new byte[1025]}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the payload for rank 1 has 1025 bytes; at most 1024 are allowed");
    }
  }

  @Example
  void areFetchedOnlyAsOffered() {
    RendezvousSend rendezvousSend = new RendezvousSend();
    Frame part =
        new Frame(
            Frame.Kind.PART,
            Group.round(1),
            0,
            Operation.ALL_TO_ALL,
            0,
            0,
            Algorithm.FLAT,
            0,
            0,
            100,
            List.of(Slice.of(new byte[100])));
    RendezvousReceive rendezvousReceive =
        new RendezvousReceive(rendezvousSend.offer(part, 1), 60, 1000);
    Frame first = rendezvousReceive.next(1);
    assertThat(rendezvousSend.serve(first.as(first.kind(), List.of()), 0).bytes()).isEqualTo(60);
    assertThat(rendezvousSend.serve(first, 0)).as("more than is left").isNull();
    Frame second = rendezvousReceive.next(1);
    assertThat(rendezvousReceive.next(1)).isNull();
    BitSet unfetched = rendezvousSend.unfetched();
    assertThat(unfetched.stream()).containsExactly(1);
    assertThat(rendezvousSend.serve(second, 0).offset()).isEqualTo(60);
    assertThat(rendezvousSend.isEmpty()).isTrue();
    assertThat(rendezvousSend.serve(second, 0)).isNull();
  }
}
