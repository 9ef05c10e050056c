package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Robots, epochs and rounds keep apart. */
@Quick
class RoundsTest {

  private static final CollectiveSettings SETTINGS = CollectiveSettings.defaults();

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void membersMayMeetTwoRobotsInOppositeOrder() {
    try (Group group = Group.inMemory(4, SETTINGS)) {
      for (int round = 1; round <= 20; round++) {
        List<CollectiveFuture<byte[][]>> first = new ArrayList<>();
        List<CollectiveFuture<byte[][]>> second = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
          OperationKey one = new OperationKey("one", 1, round);
          OperationKey two = new OperationKey("two", 7, 3L * round);
          Communicator member = group.member(rank).withAlgorithm(Algorithm.DOUBLING);
          if (rank % 2 == 0) {
            first.add(member.allGather(one, bytes(1, rank)));
            second.add(member.allGather(two, bytes(2, rank)));
          } else {
            second.add(member.allGather(two, bytes(2, rank)));
            first.add(member.allGather(one, bytes(1, rank)));
          }
        }
        byte[][] ones = {bytes(1, 0), bytes(1, 1), bytes(1, 2), bytes(1, 3)};
        byte[][] twos = {bytes(2, 0), bytes(2, 1), bytes(2, 2), bytes(2, 3)};
        first.forEach(
            collectiveFuture -> assertThat(Group.result(collectiveFuture)).isDeepEqualTo(ones));
        second.forEach(
            collectiveFuture -> assertThat(Group.result(collectiveFuture)).isDeepEqualTo(twos));
      }
    }
  }

  @Test
  void oneRobotsFailureIsNoOthers() {
    try (Group group = Group.inMemory(2, SETTINGS)) {
      CollectiveFuture<Void> one = group.member(0).barrier(new OperationKey("one", 1, 1));
      CollectiveFuture<Void> two = group.member(0).barrier(new OperationKey("two", 1, 1));
      group.member(1).broadcast(new OperationKey("one", 1, 1), 0, null);
      group.member(1).barrier(new OperationKey("two", 1, 1));

      assertThat(Group.failure(one).reason()).isEqualTo(Reason.MISMATCH);
      assertThat(Group.result(two)).isNull();
    }
  }

  @Test
  void aMemberOfAnOlderEpochIsFencedOff() {
    try (Group group = Group.inMemory(3, SETTINGS)) {
      CollectiveFuture<Void> old = group.member(2).barrier(new OperationKey("r", 1, 5));
      List<CollectiveFuture<byte[][]>> later =
          IntStream.range(0, 2)
              .mapToObj(
                  rank -> group.member(rank).allGather(new OperationKey("r", 2, 1), bytes(rank)))
              .toList();
      CollectiveException fenced = Group.failure(old);
      assertThat(fenced.reason()).isEqualTo(Reason.FENCED);
      assertThat(fenced.members()).containsExactly(2);

      CollectiveFuture<Void> again = group.member(2).barrier(new OperationKey("r", 1, 6));
      assertThat(Group.failure(again).reason()).isEqualTo(Reason.FENCED);

      CollectiveFuture<byte[][]> third =
          group.member(2).allGather(new OperationKey("r", 2, 1), bytes(2));
      byte[][] all = {bytes(0), bytes(1), bytes(2)};
      later.forEach(
          collectiveFuture -> assertThat(Group.result(collectiveFuture)).isDeepEqualTo(all));
      assertThat(Group.result(third)).isDeepEqualTo(all);
    }
  }

  @Test
  void whatAnOlderEpochSendsIsDroppedAndCounted() {
    MemoryGroup memory = new MemoryGroup(2, SETTINGS);
    CrashingChannel second = new CrashingChannel(memory.channel(1));
    try (Group group = new Group(List.of(memory.channel(0), second), SETTINGS)) {
      for (int epoch = 1; epoch <= 2; epoch++) {
        if (epoch == 2) {
          group.member(0).barrier(new OperationKey(Group.ROBOT, 2, 1));
          second.sent().forEach(part -> second.send(part, 0));
          group.member(1).barrier(new OperationKey(Group.ROBOT, 2, 1));
        }
        OperationKey key = new OperationKey(Group.ROBOT, epoch, 2);
        CollectiveFuture<byte[][]> zero = group.member(0).allGather(key, bytes(epoch, 0));
        CollectiveFuture<byte[][]> one = group.member(1).allGather(key, bytes(epoch, 1));
        byte[][] all = {bytes(epoch, 0), bytes(epoch, 1)};
        assertThat(Group.result(zero)).isDeepEqualTo(all);
        assertThat(Group.result(one)).isDeepEqualTo(all);
      }
      assertThat(group.member(0).counts().fenced()).isEqualTo(1);
    }
  }

  @Test
  void aLateMessageOfAnEarlierRoundIsDroppedAndCounted() {
    MemoryGroup memory = new MemoryGroup(2, SETTINGS);
    CrashingChannel first = new CrashingChannel(memory.channel(0));
    CrashingChannel second = new CrashingChannel(memory.channel(1));
    try (Group group = new Group(List.of(first, second), SETTINGS)) {
      for (int round = 1; round <= 2; round++) {
        if (round == 2) {
          second.sent().forEach(part -> second.send(part, 0));
        }
        CollectiveFuture<byte[][]> zero =
            group.member(0).allGather(Group.round(round), bytes(round, 0));
        CollectiveFuture<byte[][]> one =
            group.member(1).allGather(Group.round(round), bytes(round, 1));
        byte[][] all = {bytes(round, 0), bytes(round, 1)};
        assertThat(Group.result(zero)).isDeepEqualTo(all);
        assertThat(Group.result(one)).isDeepEqualTo(all);
      }
      assertThat(group.member(0).counts().late()).isPositive();
      assertThat(group.member(1).counts().late()).isZero();
    }
  }

  @Test
  void refusesARoundThatIsNotLater() {
    try (Group group = Group.inMemory(1, SETTINGS)) {
      Group.result(group.member(0).barrier(Group.round(3)));
      assertThatThrownBy(() -> group.member(0).barrier(Group.round(3)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot be entered after round 3");
    }
  }

  @Test
  void leavingEndsTheCallsThatRun() {
    try (Group group = Group.inMemory(3, SETTINGS)) {
      CollectiveFuture<Void> here = group.member(1).barrier(Group.round(1));
      CollectiveFuture<Void> there = group.member(0).barrier(new OperationKey("another", 1, 1));
      group.member(1).close();
      assertThat(Group.failure(here).reason()).isEqualTo(Reason.CLOSED);
      assertThat(Group.failure(there).reason()).isEqualTo(Reason.LOST);
      assertThat(Group.failure(there).members()).containsExactly(1);
      assertThat(Group.failure(group.member(1).barrier(Group.round(2))).reason())
          .isEqualTo(Reason.CLOSED);
    }
  }

  @Test
  void refusesWhatAnOperationCannotDo() {
    CollectiveSettings narrow = Settings.with(SETTINGS, Map.of("maxPayloadBytes", "1024"));
    try (Group group = Group.inMemory(2, narrow)) {
      Communicator member = group.member(0);
      assertThatThrownBy(
              () ->
                  member.withAlgorithm(Algorithm.DOUBLING).allToAll(Group.round(1), new byte[2][1]))
          .hasMessage("all-to-all cannot be done by 'doubling'; it can by flat");
      assertThatThrownBy(() -> member.broadcast(Group.round(1), 0, null))
          .hasMessageContaining("payload is missing");
      assertThatThrownBy(() -> member.allToAll(Group.round(1), new byte[3][1]))
          .hasMessageContaining("3 payloads were given; there must be one for each of the 2");
      byte[] huge = new byte[1 << 20];
      assertThatThrownBy(() -> member.allToAll(Group.round(1), new byte[][] {{}, huge}))
          .hasMessage("the payload for rank 1 has 1048576 bytes; at most 1024 are allowed");
      assertThatThrownBy(() -> Algorithm.named("star"))
          .hasMessageContaining("there are: auto, flat, doubling");
    }
  }
}
