package org.cartostream.topology.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.broker.local.CutWire;
import org.cartostream.broker.local.LocalRabbitMq;
import org.cartostream.slam.config.Settings;
import org.cartostream.topology.collectives.CollectiveException.Reason;
import org.junit.jupiter.api.Test;

/** Members that reach a broker only, and the broker, or the way to it, goes and comes back. */
class BrokerOutageTest {

  private static final int SIZE = 3;
  private static final int BEFORE = 1;
  private static final int AFTER = 2;

  /** For calls that must not end by time, and what waits until a broker has started. */
  private static final CollectiveSettings PATIENT =
      Settings.with(
          CollectiveSettings.defaults().withTimeoutMillis(600_000),
          Map.of("connectTimeoutMillis", "90000"));

  private static Call<byte[][]> call(Group group, int rank, int epoch) {
    RoundKey key = new RoundKey(Group.ROBOT, epoch, 1);
    return group.member(rank).allGather(key, new byte[] {(byte) epoch, (byte) rank});
  }

  private static void bringsAll(Call<byte[][]> call, int epoch) {
    byte e = (byte) epoch;
    assertThat(Group.result(call)).isDeepEqualTo(new byte[][] {{e, 0}, {e, 1}, {e, 2}});
  }

  private static void allGather(Group group, int epoch) {
    IntStream.range(0, SIZE)
        .mapToObj(rank -> call(group, rank, epoch))
        .toList()
        .forEach(call -> bringsAll(call, epoch));
  }

  @Test
  void theCallsOfThatTimeEndAndLaterOnesGetThrough() throws Exception {
    assumeThat(LocalRabbitMq.missing()).as("needs a RabbitMQ").isEmpty();
    try (LocalRabbitMq broker = LocalRabbitMq.started();
        Group group = Group.throughABroker(SIZE, broker.uri(), PATIENT)) {
      allGather(group, BEFORE);

      RoundKey next = new RoundKey(Group.ROBOT, BEFORE, 2);
      List<Call<Void>> running =
          Stream.of(0, 1).map(rank -> group.member(rank).barrier(next)).toList();
      broker.stop();
      for (Call<Void> call : running) {
        assertThat(Group.failure(call).reason()).isEqualTo(Reason.LOST);
        assertThat(Group.failure(call)).hasMessageContaining("connection to the broker broke");
      }

      Call<byte[][]> early = call(group, 0, AFTER); // What it sends waits for the broker.
      broker.start();
      Call<byte[][]> one = call(group, 1, AFTER);
      Call<byte[][]> two = call(group, 2, AFTER);
      List.of(early, one, two).forEach(call -> bringsAll(call, AFTER));
    }
  }

  @Test
  void aMemberWhoseWireIsCutComesBackAndTellsTheOthers() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        CutWire wire = new CutWire(URI.create(broker.uri()).getPort());
        Group group = withAWireToTheLast(broker.uri(), wire)) {
      allGather(group, BEFORE);
      RoundKey next = new RoundKey(Group.ROBOT, BEFORE, 2);
      Call<Void> near = group.member(0).barrier(next);
      Call<Void> cutOff = group.member(2).barrier(next);
      wire.takeDown();
      assertThat(Group.failure(cutOff).reason()).isEqualTo(Reason.LOST);
      wire.mend();
      assertThat(Group.failure(near).reason()).isEqualTo(Reason.LOST);
      allGather(group, AFTER);
    }
  }

  private static Group withAWireToTheLast(String uri, CutWire wire) throws IOException {
    String port = Integer.toString(URI.create(uri).getPort());
    String byWire = uri.replace(port, Integer.toString(wire.port()));
    List<Channel> channels = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      BrokerSettings broker = BrokerSettings.defaults().withUri(rank == SIZE - 1 ? byWire : uri);
      channels.add(new RabbitMqChannel(broker, "wired", rank, SIZE, PATIENT));
    }
    return new Group(channels, PATIENT);
  }

  @Test
  void whoIsNotThereYetIsWaitedFor() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      BrokerSettings settings = BrokerSettings.defaults().withUri(broker.uri());
      List<Channel> channels = new ArrayList<>();
      channels.add(new RabbitMqChannel(settings, "late", 0, 2, PATIENT));
      try (Group first = new Group(channels, PATIENT)) {
        Call<Void> early = first.member(0).barrier(Group.round(1));
        channels.set(0, new RabbitMqChannel(settings, "late", 1, 2, PATIENT));
        try (Group second = new Group(channels, PATIENT)) {
          Call<Void> late = second.member(0).barrier(Group.round(1));
          assertThat(Group.result(early)).isEqualTo(Group.result(late));
        }
      }
    }
  }
}
