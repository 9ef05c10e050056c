package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cartostream.broker.Examples.SOON;
import static org.cartostream.broker.Examples.soon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.Examples;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.settings.Settings;
import org.junit.jupiter.api.Test;

/** What holds on every broker. One class for each broker inherits it. */
abstract class BrokerContract {

  private static final long SEED = 54;

  /** A party's way to the broker, which can be interrupted. */
  interface Line extends AutoCloseable {

    /** Opens that party's connection. */
    BrokerConnection open(BrokerSettings settings, BrokerListener listener);

    /** Cuts it, and it stays so until it is mended. */
    void takeDown();

    void mend();

    @Override
    void close() throws IOException;
  }

  final String robot = "robot-" + UUID.randomUUID();

  /** How to reach the broker. */
  abstract BrokerSettings settings();

  abstract BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener);

  /** Publishes bytes by a connection that is not ours. */
  abstract void publish(String exchange, String routingKey, byte[] frame) throws Exception;

  abstract Line line(String party) throws IOException;

  final BrokerConnection open(String party) {
    return open(settings(), party, BrokerListener.NONE);
  }

  /** The settings with little room: 64 kB a message, and so many messages in the outbox. */
  private BrokerSettings small(int outboxMessages) {
    return Settings.with(
        settings(),
        Map.of(
            "maxMessageBytes", "65536",
            "outboxMessages", Integer.toString(outboxMessages),
            "outboxBytes", "1048576"));
  }

  /** The settings, but that an outage is ended at once. */
  private BrokerSettings hasty() {
    return Settings.with(
        settings(), Map.of("minReconnectMillis", "10", "maxReconnectMillis", "20"));
  }

  @Test
  void carriesReadingsToTheServiceInOrder() throws Exception {
    Examples.Collector service = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      LongStream.rangeClosed(1, 200).forEach(i -> gateway.publish(Examples.reading(robot, i)));
      topology.subscribeToReadings(10, service);
      soon().until(() -> service.sequences.size() >= 200);
      assertThat(gateway.flush(SOON)).isTrue();
    }
    assertThat(service.sequences)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
  }

  @Test
  void deletesWhatItsReceiverDoesNotAcceptBeforeItIsDecoded() throws Exception {
    List<Integer> asked = new CopyOnWriteArrayList<>();
    Examples.Collector service =
        new Examples.Collector(true) {
          @Override
          public boolean accepts(String sender, int bytes) {
            asked.add(bytes);
            return sender.equals(robot) && asked.size() != 2;
          }
        };
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      LongStream.rangeClosed(1, 3).forEach(i -> gateway.publish(Examples.reading(robot, i)));
      topology.subscribeToReadings(10, service);
      soon().until(() -> service.sequences.size() == 2);
      assertThat(gateway.flush(SOON)).isTrue();
    }
    try (BrokerConnection next = open("service")) {
      next.subscribeToReadings(10, service);
      next.publish(Examples.reading(robot, 4));
      soon().until(() -> service.sequences.size() == 3);
    }
    assertThat(service.sequences).containsExactly(1L, 3L, 4L);
    assertThat(service.refusals).isEmpty();
    assertThat(asked).hasSize(4).allMatch(bytes -> bytes > 100);
  }

  /** They cross the broker in pieces, between which small ones come. */
  @Test
  void carriesMapsOfMegabytesBothThatMustArriveAndThatANewerOneReplaces() throws Exception {
    Examples.Collector gateway = new Examples.Collector(true);
    Random random = new Random(SEED);
    System.out.println("seed " + SEED);
    List<byte[]> tiles = new ArrayList<>();
    try (BrokerConnection answered = open("gateway");
        BrokerConnection topology = open("service")) {
      answered.subscribeToAnswers(robot, 2, gateway);
      for (int i = 0; i < 6; i++) {
        tiles.add(new byte[FrameFragmentation.PIECE_BYTES * i + random.nextInt(1000)]);
        random.nextBytes(tiles.get(i));
        boolean isLast = i % 2 == 0;
        assertThat(
                topology.publish(
                    new Envelope(
                        robot,
                        7,
                        i,
                        0,
                        new MapMessage(isLast, 0, 0, 10, 10, 0.05, 0, 0, tiles.get(i)))))
            .isTrue();
        topology.publish(Examples.outcome(robot, 100 + i));
      }
      soon().until(() -> gateway.sequences.size() == 12);
      assertThat(topology.flush(SOON)).isTrue();
      answered.deleteAnswerQueues(robot);
    }
    for (Envelope each : gateway.envelopes) {
      if (each.body() instanceof MapMessage map) {
        assertThat(map.deflated()).isEqualTo(tiles.get((int) each.sequence()));
      }
    }
    assertThat(gateway.refusals).isEmpty();
  }

  /** Whoever only tries takes no piece of it, and who dies before its receipt none either. */
  @Test
  void deliversAllPiecesAgainUntilTheirMessageHasItsReceipt() throws Exception {
    byte[] tiles = new byte[5 * FrameFragmentation.PIECE_BYTES];
    new Random(SEED).nextBytes(tiles);
    Envelope map =
        new Envelope(robot, 7, 1, 0, new MapMessage(true, 0, 0, 10, 10, 0.05, 0, 0, tiles));
    Examples.Collector dies = new Examples.Collector(false);
    Examples.Collector lives = new Examples.Collector(true);
    try (BrokerConnection topology = open("service")) {
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 1, Receiver.NOBODY);
        topology.publish(map);
        assertThat(topology.flush(SOON)).isTrue();
      }
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 30, dies);
        soon().until(() -> dies.sequences.size() == 1);
      }
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 30, lives);
        soon().until(() -> lives.sequences.size() == 1);
        topology.publish(Examples.outcome(robot, 2));
        soon().until(() -> lives.sequences.size() == 2);
        gateway.deleteAnswerQueues(robot);
      }
    }
    assertThat(lives.envelopes.get(0).body())
        .isInstanceOfSatisfying(
            MapMessage.class, each -> assertThat(each.deflated()).isEqualTo(tiles));
  }

  @Test
  void handsAMessageInPiecesOverAgainAfterABreakBeforeItsReceipt() throws Exception {
    MapMessage map =
        new MapMessage(true, 0, 0, 9, 9, 0.05, 0, 0, new byte[4 * FrameFragmentation.PIECE_BYTES]);
    Examples.Collector gateway = new Examples.Collector(false);
    try (BrokerConnection topology = open("service");
        Line line = line("gateway");
        BrokerConnection answered = line.open(hasty(), BrokerListener.NONE)) {
      answered.subscribeToAnswers(robot, 30, gateway);
      topology.publish(new Envelope(robot, 7, 1, 0, map));
      soon().until(() -> gateway.sequences.size() == 1);
      line.takeDown();
      soon().until(() -> !answered.isUp());
      line.mend();
      soon().until(() -> gateway.sequences.size() == 2);
      answered.deleteAnswerQueues(robot);
    }
    assertThat(gateway.redelivered).containsExactly(1L);
  }

  @Test
  void carriesAnswersOnlyToTheirRobot() {
    Examples.Collector mine = new Examples.Collector(true);
    Examples.Collector other = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      gateway.subscribeToAnswers(robot, 10, mine);
      gateway.subscribeToAnswers(robot + "-2", 10, other);
      topology.publish(Examples.outcome(robot, 1));
      topology.publish(Examples.outcome(robot + "-2", 2));
      soon().until(() -> mine.sequences.size() + other.sequences.size() == 2);
      gateway.deleteAnswerQueues(robot);
      gateway.deleteAnswerQueues(robot + "-2");
    }
    assertThat(mine.sequences).containsExactly(1L);
    assertThat(other.sequences).containsExactly(2L);
  }

  @Test
  void keepsEveryOutcomeButOnlyTheNewestPosesOfASlowGateway() throws Exception {
    Examples.Collector slow = new Examples.Collector(true);
    int many = BrokerNames.LATEST_QUEUE_LENGTH + 100; // The outbox has room for all.
    try (BrokerConnection topology = open("service")) {
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 1, slow);
      }
      LongStream.rangeClosed(1, many)
          .forEach(
              i -> {
                topology.publish(Examples.outcome(robot, i));
                topology.publish(Examples.pose(robot, i));
              });
      assertThat(topology.flush(SOON)).isTrue();
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 1, slow);
        int expected = many + BrokerNames.LATEST_QUEUE_LENGTH;
        soon().until(() -> slow.envelopes.size() >= expected);
        gateway.deleteAnswerQueues(robot);
      }
    }
    assertThat(sequencesOf(slow, OutcomeMessage.class))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, many).boxed().toList());
    assertThat(sequencesOf(slow, PoseMessage.class))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(many - BrokerNames.LATEST_QUEUE_LENGTH + 1, many)
                .boxed()
                .toList());
  }

  private static List<Long> sequencesOf(Examples.Collector collector, Class<?> kind) {
    return collector.envelopes.stream()
        .filter(envelope -> kind.isInstance(envelope.body()))
        .map(Envelope::sequence)
        .toList();
  }

  @Test
  void deliversAgainWhatGotNoReceipt() {
    Examples.Collector forgetful = new Examples.Collector(false);
    Examples.Collector careful = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway")) {
      gateway.publish(Examples.reading(robot, 1));
      try (BrokerConnection topology = open("service")) {
        topology.subscribeToReadings(10, forgetful);
        soon().until(() -> forgetful.sequences.size() == 1);
      }
      try (BrokerConnection topology = open("service")) {
        topology.subscribeToReadings(10, careful);
        gateway.publish(Examples.reading(robot, 2));
        soon().until(() -> careful.sequences.size() == 2);
      }
    }
    assertThat(careful.envelopes.get(0).robot()).isEqualTo(robot);
    assertThat(forgetful.redelivered).isEmpty();
    assertThat(careful.redelivered).containsExactly(1L);
  }

  @Test
  void countsGarbageFutureVersionsAndHugeMessagesAndGoesOn() throws Exception {
    Examples.Collector gateway = new Examples.Collector(true);
    byte[] future = new Codec(1 << 20).encode(Examples.outcome(robot, 1));
    future[4] = 99;
    try (BrokerConnection connection = open(small(100), "gateway", BrokerListener.NONE)) {
      connection.subscribeToAnswers(robot, 10, gateway);
      String key = BrokerNames.Answer.OUTCOME.keyTo(robot);
      byte[] garbage = "hello, I am no message".getBytes(StandardCharsets.UTF_8);
      for (byte[] bytes : List.of(garbage, future, new byte[1 << 20])) {
        publish(BrokerNames.ANSWERS, key, bytes);
      }
      connection.publish(Examples.outcome(robot, 5));
      soon().until(() -> gateway.sequences.contains(5L));
      soon().until(() -> gateway.refusals.size() == 3);
      connection.deleteAnswerQueues(robot);
    }
    assertThat(gateway.refusals)
        .extracting(reason -> reason.refusal().name())
        .containsExactlyInAnyOrder("GARBAGE", "OTHER_VERSION", "TOO_LARGE");
  }

  /** What a robot may publish depends on the routing key: it must not speak for another. */
  @Test
  void refusesWhatAnotherRobotsKeyBrings() throws Exception {
    Examples.Collector service = new Examples.Collector(true);
    try (BrokerConnection topology = open("service")) {
      topology.subscribeToReadings(10, service);
      byte[] frame = new Codec(1 << 20).encode(Examples.reading(robot, 1));
      String another = BrokerNames.everyRobotOf(settings().service()).replace("*", "another");
      publish(BrokerNames.READINGS, another, frame);
      soon().until(() -> service.refusals.size() == 1);
    }
    assertThat(service.sequences).isEmpty();
    assertThat(service.refusals.get(0).refusal()).isEqualTo(BrokerRefusal.OTHER_SENDER);
  }

  @Test
  void refusesToSendWhatIsTooLarge() {
    MapMessage map = new MapMessage(true, 0, 0, 10, 10, 0.05, 0, 0, new byte[100_000]);
    try (BrokerConnection connection = open(small(100), "service", BrokerListener.NONE)) {
      assertThatExceptionOfType(RefusedMessageException.class)
          .isThrownBy(() -> connection.publish(new Envelope(robot, 1, 1, 0, map)))
          .withMessageContaining("65536");
    }
  }

  @Test
  void takesNoMoreThanTheOutboxHoldsInAnOutage() throws Exception {
    Examples.Collector gateway = new Examples.Collector(true);
    int room = 10;
    try (BrokerConnection answered = open("gateway");
        Line line = line("service");
        BrokerConnection topology = line.open(small(room), BrokerListener.NONE)) {
      answered.subscribeToAnswers(robot, 10, gateway);
      line.takeDown();
      soon().until(() -> !topology.isUp());
      for (long i = 1; i <= room; i++) {
        assertThat(topology.publish(Examples.outcome(robot, i))).isTrue();
      }
      assertThat(topology.publish(Examples.outcome(robot, room + 1L))).isFalse();
      assertThat(topology.unconfirmed()).isEqualTo(room);
      assertThat(topology.flush(Duration.ofMillis(1))).isFalse();
      line.mend();
      assertThat(topology.flush(SOON)).isTrue();
      assertThat(topology.unconfirmed()).isZero();
      soon().until(() -> gateway.sequences.size() >= room);
      answered.deleteAnswerQueues(robot);
    }
    assertThat(gateway.sequences)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, room).boxed().toList());
  }

  @Test
  void takesNothingOnceItIsClosed() {
    BrokerConnection connection = open("gateway");
    connection.close();
    assertThat(connection.publish(Examples.outcome(robot, 1))).isFalse();
  }

  @Test
  void letsNoOtherGatewayTakeARobotsAnswers() {
    Examples.Collector gateway = new Examples.Collector(true);
    try (BrokerConnection first = open("gateway");
        BrokerConnection second = open("a second gateway")) {
      first.subscribeToAnswers(robot, 1, gateway);
      assertThatThrownBy(() -> second.subscribeToAnswers(robot, 1, new Examples.Collector(true)))
          .isInstanceOf(BrokerException.class)
          .hasMessageContainingAll(BrokerNames.certainQueue(robot), "somebody else already takes");
      first.publish(Examples.outcome(robot, 1));
      soon().until(() -> gateway.sequences.contains(1L));
      first.deleteAnswerQueues(robot);
    }
  }

  @Test
  void hasNoMoreWithoutReceiptThanAskedFor() throws Exception {
    Queue<Receiver.Receipt> pendingAcks = new ConcurrentLinkedQueue<>();
    AtomicInteger max = new AtomicInteger();
    Receiver slow =
        new Examples.Collector(false) {
          @Override
          public void received(Envelope envelope, Receipt receipt) {
            pendingAcks.add(receipt);
            max.accumulateAndGet(pendingAcks.size(), Math::max);
            super.received(envelope, receipt);
          }
        };
    int prefetch = 3;
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      topology.subscribeToReadings(prefetch, slow);
      LongStream.rangeClosed(1, 20).forEach(i -> gateway.publish(Examples.reading(robot, i)));
      assertThat(gateway.flush(SOON)).isTrue();
      for (int given = 0; given < 20; given++) {
        soon().until(() -> !pendingAcks.isEmpty());
        pendingAcks.remove().acknowledge();
      }
    }
    assertThat(((Examples.Collector) slow).sequences)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    assertThat(max.get()).isBetween(1, prefetch);
  }

  @Test
  void noticesNoOutageWhenAGatewaysQueuesAreDeleted() {
    Examples.Outages outages = new Examples.Outages();
    Examples.Collector gateway = new Examples.Collector(true);
    try (BrokerConnection connection = open(settings(), "gateway", outages)) {
      connection.subscribeToAnswers(robot, 1, gateway);
      connection.deleteAnswerQueues(robot);
      connection.subscribeToAnswers(robot, 1, gateway);
      connection.publish(Examples.outcome(robot, 1));
      soon().until(() -> gateway.sequences.contains(1L));
      connection.deleteAnswerQueues(robot);
    }
    assertThat(outages.downs).isEmpty();
  }

  /** And once only, however often it tries. */
  @Test
  void saysWhyItCannotBeOpenedAgain() throws Exception {
    Examples.Outages outages = new Examples.Outages();
    try (Line line = line("gateway");
        BrokerConnection gateway = line.open(hasty(), outages)) {
      gateway.subscribeToAnswers(robot, 1, new Examples.Collector(true));
      line.takeDown();
      soon().until(() -> !gateway.isUp());
      try (BrokerConnection second = open("a second gateway")) {
        soon()
            .ignoreExceptionsInstanceOf(BrokerException.class)
            .until(
                () -> {
                  second.subscribeToAnswers(robot, 1, new Examples.Collector(true));
                  return second.isUp();
                });
        line.mend();
        soon()
            .until(
                () ->
                    outages.downs.stream()
                        .anyMatch(why -> why.startsWith("somebody else already takes")));
        second.close(); // Its consumers go at once, and the queues stay for the other.
      }
      soon().until(() -> !outages.ups.isEmpty());
      gateway.deleteAnswerQueues(robot);
    }
    assertThat(outages.downs).doesNotHaveDuplicates(); // However often it was tried.
    assertThat(outages.downs.get(0)).contains("broke: ");
    assertThat(outages.ups).hasSize(1);
  }
}
