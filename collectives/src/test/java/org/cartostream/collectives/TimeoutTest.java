package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members that do not come, come too late, or come and send nothing. Its tests only wait. */
@Quick
@Execution(ExecutionMode.CONCURRENT)
class TimeoutTest {

  private static final int SIZE = 5;
  private static final int MISSING = 3;
  private static final CollectiveSettings HASTY =
      CollectiveSettings.defaults().withTimeoutMillis(400);

  /** Where several call: to those that have called, the last of them must not be late as well. */
  private static final CollectiveSettings LESS_HASTY = HASTY.withTimeoutMillis(2000);

  private static OperationKey key(int robot) {
    return new OperationKey("robot-" + robot, 1, 1);
  }

  /** Each operation in which all wait for all. */
  private static List<RandomOperation> all() {
    return RandomOperation.kinds().stream()
        .map(kind -> RandomOperation.random(kind, SIZE, 300, 7))
        .filter(RandomOperation::needsAll)
        .toList();
  }

  @ParameterizedTest(name = "with room for {0} bytes")
  @ValueSource(strings = {"1000000", "1024"})
  void everyOperationNamesTheMemberThatNeverComes(String maxWaitingBytes) {
    CollectiveSettings settings =
        Settings.with(LESS_HASTY, Map.of("maxWaitingBytes", maxWaitingBytes));
    try (Group group = Group.inMemory(SIZE, settings)) {
      List<RandomOperation> all = all();
      List<CollectiveFuture<?>> collectiveFutures = new ArrayList<>();
      for (int robot = 0; robot < all.size(); robot++) {
        for (int rank = 0; rank < SIZE; rank++) {
          if (rank != MISSING) {
            collectiveFutures.add(all.get(robot).call(group.member(rank), key(robot)));
          }
        }
      }
      for (CollectiveFuture<?> collectiveFuture : collectiveFutures) {
        CollectiveException failure = Group.failure(collectiveFuture);
        assertThat(failure.members()).as(failure.getMessage()).containsExactly(MISSING);
        assertThat(failure.reason()).isEqualTo(Reason.LATE);
      }
    }
  }

  @Test
  void everyOperationNamesTheMemberWhoseMessagesAllVanish() {
    MemoryGroup memory = new MemoryGroup(SIZE, LESS_HASTY);
    List<GroupChannel> groupChannels =
        IntStream.range(0, SIZE)
            .mapToObj(
                rank ->
                    rank == MISSING
                        ? new MuteChannel(memory.channel(rank), frame -> {})
                        : memory.channel(rank))
            .toList();
    try (Group group = new Group(groupChannels, LESS_HASTY)) {
      List<RandomOperation> all = all();
      List<CollectiveFuture<?>> collectiveFutures = new ArrayList<>();
      for (int robot = 0; robot < all.size(); robot++) {
        for (int rank = 0; rank < SIZE; rank++) {
          CollectiveFuture<?> collectiveFuture =
              all.get(robot).call(group.member(rank), key(robot));
          if (rank != MISSING) {
            collectiveFutures.add(collectiveFuture);
          }
        }
      }
      for (CollectiveFuture<?> collectiveFuture : collectiveFutures) {
        CollectiveException failure = Group.failure(collectiveFuture);
        assertThat(failure.members()).as(failure.getMessage()).containsExactly(MISSING);
      }
    }
  }

  @Test
  void whoComesTooLateLearnsItAtOnceAndTheNextRoundIsWhole() {
    try (Group group = Group.inMemory(3, LESS_HASTY)) {
      CollectiveFuture<Void> zero = group.member(0).barrier(Group.round(1));
      CollectiveFuture<Void> one = group.member(1).barrier(Group.round(1));
      assertThat(Group.failure(zero).members()).containsExactly(2);
      assertThat(Group.failure(one).members()).containsExactly(2);

      CollectiveFuture<Void> two = group.member(2).barrier(Group.round(1));
      assertThat(two).isDone();
      assertThat(Group.failure(two).members()).containsExactly(2);

      List<CollectiveFuture<byte[][]>> next =
          IntStream.range(0, 3)
              .mapToObj(rank -> group.member(rank).allGather(Group.round(2), new byte[rank]))
              .toList();
      byte[][] all = {new byte[0], new byte[1], new byte[2]};
      next.forEach(
          collectiveFuture -> assertThat(Group.result(collectiveFuture)).isDeepEqualTo(all));
    }
  }

  @Test
  void whatCameForARoundThatIsNeverEnteredGoes() {
    try (Group group = Group.inMemory(2, HASTY)) {
      group.member(0).broadcast(Group.round(1), 0, new byte[100]);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> group.member(1).counts().expired() == 1);
    }
  }

  @Test
  void callsEndThoughAChannelFailsWhileTheTimeIsLookedAt() {
    MemoryGroup memory = new MemoryGroup(2, HASTY);
    Set<Frame.Kind> failed = Collections.synchronizedSet(EnumSet.of(Frame.Kind.PART));
    MuteChannel first =
        new MuteChannel(
            memory.channel(0),
            frame -> {
              if (failed.add(frame.kind())) {
                throw new OutOfMemoryError("once for each kind: " + frame.kind());
              }
            });
    try (Group group = new Group(List.of(first, memory.channel(1)), HASTY)) {
      for (int robot = 1; robot <= 2; robot++) {
        CollectiveException failure = Group.failure(group.member(0).barrier(key(robot)));
        assertThat(failure.reason()).isEqualTo(Reason.LATE);
        assertThat(failure.members()).containsExactly(1);
      }
      assertThat(failed).contains(Frame.Kind.PROBE, Frame.Kind.ABORT);
    }
  }

  /** What its member sends never arrives. */
  private static final class MuteChannel extends ForwardingChannel {

    private final Consumer<Frame> sent;

    MuteChannel(GroupChannel groupChannel, Consumer<Frame> sent) {
      super(groupChannel);
      this.sent = sent;
    }

    @Override
    public void send(Frame frame, int... to) {
      sent.accept(frame); // And lost on the way.
    }
  }
}
