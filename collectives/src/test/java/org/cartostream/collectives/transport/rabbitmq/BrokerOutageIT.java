package org.cartostream.collectives.transport.rabbitmq;

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
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.local.CuttableProxy;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/**
 * Members whose way to the broker goes and comes back, or who come late. The broker itself goes in
 * {@code BrokerRestartTest}.
 */
@Default
class BrokerOutageIT {

  private static final int SIZE = 3;
  private static final int BEFORE = 1;
  private static final int AFTER = 2;

  /** For calls that must not end by time, and what waits until a broker has started. */
  private static final CollectiveSettings PATIENT =
      Settings.with(
          CollectiveSettings.defaults().withTimeoutMillis(600_000),
          Map.of("connectTimeoutMillis", "90000"));

  private static CollectiveFuture<byte[][]> call(Group group, int rank, int epoch) {
    OperationKey key = new OperationKey(Group.ROBOT, epoch, 1);
    return group.member(rank).allGather(key, new byte[] {(byte) epoch, (byte) rank});
  }

  private static void bringsAll(CollectiveFuture<byte[][]> collectiveFuture, int epoch) {
    byte e = (byte) epoch;
    assertThat(Group.result(collectiveFuture)).isDeepEqualTo(new byte[][] {{e, 0}, {e, 1}, {e, 2}});
  }

  private static void allGather(Group group, int epoch) {
    IntStream.range(0, SIZE)
        .mapToObj(rank -> call(group, rank, epoch))
        .toList()
        .forEach(collectiveFuture -> bringsAll(collectiveFuture, epoch));
  }

  @Test
  void aMemberWhoseWireIsCutComesBackAndTellsTheOthers() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        CuttableProxy wire = new CuttableProxy(URI.create(broker.uri()).getPort());
        Group group = withAWireToTheLast(broker.uri(), wire)) {
      allGather(group, BEFORE);
      OperationKey next = new OperationKey(Group.ROBOT, BEFORE, 2);
      CollectiveFuture<Void> near = group.member(0).barrier(next);
      CollectiveFuture<Void> cutOff = group.member(2).barrier(next);
      wire.takeDown();
      assertThat(Group.failure(cutOff).reason()).isEqualTo(Reason.LOST);
      CollectiveFuture<byte[][]> early = call(group, 2, AFTER); // What it sends waits for the wire.
      wire.mend();
      assertThat(Group.failure(near).reason()).isEqualTo(Reason.LOST);
      List.of(call(group, 0, AFTER), call(group, 1, AFTER), early)
          .forEach(collectiveFuture -> bringsAll(collectiveFuture, AFTER));
    }
  }

  /** The broker does not say that it has heard of the end; the client's thread learns it itself. */
  @Test
  void leavesABrokerThatDoesNotAnswer() throws Exception {
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        CuttableProxy wire = new CuttableProxy(URI.create(broker.uri()).getPort())) {
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
  private static Thread clientOf(CuttableProxy wire) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("AMQP Connection .*:" + wire.port()))
        .findAny()
        .orElseThrow();
  }

  private static Group withAWireToTheLast(String uri, CuttableProxy wire) throws IOException {
    String port = Integer.toString(URI.create(uri).getPort());
    String byWire = uri.replace(port, Integer.toString(wire.port()));
    List<GroupChannel> groupChannels = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      BrokerSettings broker = BrokerSettings.defaults().withUri(rank == SIZE - 1 ? byWire : uri);
      groupChannels.add(new RabbitMqChannel(Group.access(broker), "wired", rank, SIZE, PATIENT));
    }
    return new Group(groupChannels, PATIENT);
  }

  @Test
  void whoIsNotThereYetIsWaitedFor() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      BrokerSettings settings = BrokerSettings.defaults().withUri(broker.uri());
      List<GroupChannel> groupChannels = new ArrayList<>();
      groupChannels.add(new RabbitMqChannel(Group.access(settings), "late", 0, 2, PATIENT));
      try (Group first = new Group(groupChannels, PATIENT)) {
        CollectiveFuture<Void> early = first.member(0).barrier(Group.round(1));
        groupChannels.set(0, new RabbitMqChannel(Group.access(settings), "late", 1, 2, PATIENT));
        try (Group second = new Group(groupChannels, PATIENT)) {
          CollectiveFuture<Void> late = second.member(0).barrier(Group.round(1));
          assertThat(Group.result(early)).isEqualTo(Group.result(late));
        }
      }
    }
  }
}
