package org.cartostream.collectives.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.ForwardingChannel;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.LargePayloads;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.Slice;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.testing.Quick;

/** What becomes of a call when members stop, end or lie while large payloads are fetched. */
@Quick
class LargePayloadsFailureTest {

  private static final CollectiveSettings HASTY = LargePayloads.SETTINGS.withTimeoutMillis(1000);

  /** Sends what a test lets through. */
  private static class Sieve extends ForwardingChannel {

    private final List<Frame> sent = new ArrayList<>();
    private Frame.Kind stopped;

    Sieve(GroupChannel groupChannel) {
      super(groupChannel);
    }

    @Override
    public int partBytes() {
      return LargePayloads.PART_BYTES; // Also in memory.
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

  private static void assertExchanged(Group group, OperationKey key, int fill) {
    CollectiveFuture<byte[][]> zero = group.member(0).allToAll(key, two(fill));
    CollectiveFuture<byte[][]> one = group.member(1).allToAll(key, two(fill));
    assertThat(Group.result(zero)).isDeepEqualTo(two(fill));
    assertThat(Group.result(one)).isDeepEqualTo(two(fill));
  }

  @Example
  void whatAnOlderEpochFetchesAndSendsIsDroppedAndCounted() {
    MemoryGroup memory = new MemoryGroup(2, LargePayloads.SETTINGS);
    Sieve one = new Sieve(memory.channel(1));
    try (Group group = pair(one, memory, LargePayloads.SETTINGS)) {
      assertExchanged(group, new OperationKey(Group.ROBOT, 1, 1), 1);
      List<Frame> old = List.copyOf(one.sent);
      assertThat(old.stream().map(Frame::kind).distinct())
          .contains(Frame.Kind.OFFER, Frame.Kind.FETCH, Frame.Kind.PIECE);
      CollectiveFuture<byte[][]> zero =
          group.member(0).allToAll(new OperationKey(Group.ROBOT, 2, 1), two(2));
      old.forEach(frame -> one.send(frame, 0));
      CollectiveFuture<byte[][]> later =
          group.member(1).allToAll(new OperationKey(Group.ROBOT, 2, 1), two(2));

      assertThat(group.member(0).counts().fenced()).isEqualTo(old.size());
      assertThat(Group.result(zero)).isDeepEqualTo(two(2));
      assertThat(Group.result(later)).isDeepEqualTo(two(2));
    }
  }

  @Example
  void whatComesOfARoundThatIsOverIsDroppedAndCounted() {
    MemoryGroup memory = new MemoryGroup(2, LargePayloads.SETTINGS);
    Sieve one = new Sieve(memory.channel(1));
    try (Group group = pair(one, memory, LargePayloads.SETTINGS)) {
      assertExchanged(group, Group.round(1), 1);
      List<Frame> old = List.copyOf(one.sent);
      old.forEach(frame -> one.send(frame, 0));
      assertThat(group.member(0).counts().late()).isEqualTo(old.size());
      assertExchanged(group, Group.round(2), 2);
    }
  }

  /** Two members call, and what rank 1 sends of one kind is stopped. */
  private record Stopped(
      Group group, Sieve one, CollectiveFuture<byte[][]> lacks, CollectiveFuture<byte[][]> has) {

    static Stopped of(Frame.Kind kind) {
      MemoryGroup memory = new MemoryGroup(2, HASTY);
      Sieve one = new Sieve(memory.channel(1));
      Group group = pair(one, memory, HASTY);
      one.stopped = kind;
      List<CollectiveFuture<byte[][]>> collectiveFutures = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        collectiveFutures.add(group.member(rank).allToAll(Group.round(1), two(1)));
      }
      int lacks = kind == Frame.Kind.PIECE ? 0 : 1;
      return new Stopped(
          group, one, collectiveFutures.get(lacks), collectiveFutures.get(1 - lacks));
    }
  }

  /**
   * Who offers and then says nothing, or never fetches: the calls end in time, and nothing stays.
   * Who has what is its own keeps it.
   */
  @Example
  void endInAnErrorWhereTheyStopComing() {
    List<Stopped> all = new ArrayList<>();
    for (Frame.Kind kind : List.of(Frame.Kind.PIECE, Frame.Kind.FETCH)) {
      all.add(Stopped.of(kind));
    }
    for (Stopped each : all) {
      try (Group group = each.group) {
        CollectiveException failure = Group.failure(each.lacks);
        assertThat(failure.reason()).isEqualTo(Reason.LATE);
        assertThat(failure.members()).hasSize(1); // Each waits for the other.
        assertThat(Group.result(each.has)).isDeepEqualTo(two(1));
        each.one.stopped = null;
        assertExchanged(group, Group.round(2), 2);
      }
    }
  }

  @Example
  void areKeptForWhoeverLivesWhenAnotherIsGoneBeforeItHasFetchedThem() {
    try (Group group = Group.inMemory(3, LargePayloads.SETTINGS)) {
      byte[] payload = two(3)[0];
      Communicator root = group.member(0);
      CollectiveFuture<byte[]> collectiveFuture = root.broadcast(Group.round(1), 0, payload);
      group.member(1).close();
      assertThat(collectiveFuture).isNotDone();
      Communicator late = group.member(2);
      assertThat(Group.result(late.broadcast(Group.round(1), 0, null))).isEqualTo(payload);
      assertThat(Group.result(collectiveFuture)).isEqualTo(payload);
    }
  }

  /** The thread that brings them serves other robots, too. */
  @Example
  void failTheirRoundAloneIfThereIsNoMemoryForThem() {
    CollectiveSettings any =
        new CollectiveSettings(
            LargePayloads.SETTINGS.timeoutMillis(),
            LargePayloads.PART_BYTES,
            LargePayloads.FRAME_BYTES,
            Integer.MAX_VALUE,
            LargePayloads.SETTINGS.maxWaitingBytes(),
            LargePayloads.SETTINGS.maxPooledBytes(),
            LargePayloads.SETTINGS.connectTimeoutMillis(),
            LargePayloads.SETTINGS.maxRobots());
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
}
