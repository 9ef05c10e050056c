package org.cartostream.topology.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.broker.local.CutWire;
import org.cartostream.slam.config.Settings;
import org.cartostream.topology.collectives.CollectiveException.Reason;
import org.junit.jupiter.api.Test;

/**
 * Members whose way to the broker goes and comes back, or who come late. The broker itself goes in
 * {@code BrokerRestartTest}.
 */
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
      Call<byte[][]> early = call(group, 2, AFTER); // What it sends waits for the wire.
      wire.mend();
      assertThat(Group.failure(near).reason()).isEqualTo(Reason.LOST);
      List.of(call(group, 0, AFTER), call(group, 1, AFTER), early)
          .forEach(call -> bringsAll(call, AFTER));
    }
  }

  /** The broker does not say that it has heard of the end; the client's thread learns it itself. */
  @Test
  void leavesABrokerThatDoesNotAnswer() throws Exception {
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        CutWire wire = new CutWire(URI.create(broker.uri()).getPort())) {
      Thread client;
      try (Group group = withAWireToTheLast(broker.uri(), wire)) {
        allGather(group, BEFORE);
        client = clientOf(wire);
        client.setUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
        wire.hold();
      }
      client.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(client.isAlive()).isFalse();
    }
    assertThat(uncaught).isEmpty();
  }

  /** The thread that reads what comes over the wire. */
  private static Thread clientOf(CutWire wire) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("AMQP Connection .*:" + wire.port()))
        .findAny()
        .orElseThrow();
  }

  private static Group withAWireToTheLast(String uri, CutWire wire) throws IOException {
    String port = Integer.toString(URI.create(uri).getPort());
    String byWire = uri.replace(port, Integer.toString(wire.port()));
    List<Channel> channels = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      BrokerSettings broker = BrokerSettings.defaults().withUri(rank == SIZE - 1 ? byWire : uri);
      channels.add(new RabbitMqChannel(Group.access(broker), "wired", rank, SIZE, PATIENT));
    }
    return new Group(channels, PATIENT);
  }

  @Test
  void whoIsNotThereYetIsWaitedFor() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      BrokerSettings settings = BrokerSettings.defaults().withUri(broker.uri());
      List<Channel> channels = new ArrayList<>();
      channels.add(new RabbitMqChannel(Group.access(settings), "late", 0, 2, PATIENT));
      try (Group first = new Group(channels, PATIENT)) {
        Call<Void> early = first.member(0).barrier(Group.round(1));
        channels.set(0, new RabbitMqChannel(Group.access(settings), "late", 1, 2, PATIENT));
        try (Group second = new Group(channels, PATIENT)) {
          Call<Void> late = second.member(0).barrier(Group.round(1));
          assertThat(Group.result(early)).isEqualTo(Group.result(late));
        }
      }
    }
  }
}
