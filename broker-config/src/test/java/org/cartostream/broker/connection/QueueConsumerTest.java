package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.Examples;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class QueueConsumerTest {

  private static final String ROBOT = "r1";
  private static final int MAX = 1 << 20;

  private final QueueConsumer.FrameReader reader = QueueConsumer.FrameReader.atMost(MAX);
  private final List<byte[]> pieces =
      FrameFragmentation.of(
          reader
              .codec()
              .encode(
                  new Envelope(
                      ROBOT, 7, 8, 9, new MapMessage(true, 0, 0, 9, 9, 0.05, 0, 0, tiles()))));
  private final Semaphore ofPieces = new Semaphore(2);
  private final List<Integer> acknowledged = new ArrayList<>();

  private static byte[] tiles() {
    byte[] tiles = new byte[3 * FrameFragmentation.PIECE_BYTES];
    new Random(54).nextBytes(tiles);
    return tiles;
  }

  private void handOver(int piece, Receiver receiver) {
    handOver(piece, ROBOT, reader, receiver);
  }

  private void handOver(int piece, String robot, QueueConsumer.FrameReader by, Receiver receiver) {
    QueueConsumer.handOver(
        pieces.get(piece),
        BrokerNames.ANSWERS,
        BrokerNames.Answer.LASTMAP.keyTo(robot),
        by,
        receiver,
        () -> acknowledged.add(piece),
        ofPieces);
  }

  @Test
  void whoOnlyTriesTakesNoPiece() {
    for (int i = 0; i < pieces.size(); i++) {
      handOver(i, Receiver.NOBODY);
    }
    assertThat(acknowledged).isEmpty();
    Examples.Collector receiver = new Examples.Collector(true);
    handOver(pieces.size() - 1, receiver);
    assertThat(receiver.sequences).isEmpty();
  }

  /** More receipts than there is room for would keep the broker from delivering the rest. */
  @Test
  void receiptsOfPiecesAreGivenWithTheirMessagesAsFarAsThereIsRoom() {
    Queue<Receiver.Receipt> received = new ArrayDeque<>();
    Receiver receiver =
        new Examples.Collector(false) {
          @Override
          public void received(Envelope envelope, Receipt receipt) {
            received.add(receipt);
          }
        };
    for (int i = 0; i < pieces.size(); i++) {
      handOver(i, receiver);
    }
    assertThat(pieces).hasSize(4);
    assertThat(acknowledged).containsExactly(2);
    received.remove().acknowledge();
    assertThat(acknowledged).containsExactly(2, 0, 1, 3);
    assertThat(ofPieces.availablePermits()).isEqualTo(2);
  }

  /** Takes no message that is large, and keeps what could be said of those. */
  private static final class Picky extends Examples.Collector {
    private final List<Envelope> dropped = new ArrayList<>();

    Picky() {
      super(true);
    }

    @Override
    public boolean accepts(String robot, int bytes) {
      return bytes <= FrameFragmentation.PIECE_BYTES;
    }

    @Override
    public void dropped(Envelope answer) {
      dropped.add(answer);
    }
  }

  /** Once for all pieces, with its number and run. */
  @Test
  void saysWhichMessageIsDroppedAndWhy() {
    Picky receiver = new Picky();
    for (int i = 0; i < pieces.size(); i++) {
      handOver(i, receiver);
    }
    assertThat(receiver.dropped).hasSize(1);
    Envelope answer = receiver.dropped.get(0);
    assertThat(List.of(answer.run(), answer.sequence(), answer.stampNanos()))
        .containsExactly(7L, 8L, 9L);
    assertThat(((DroppedMessage) answer.body()).why())
        .matches("1966\\d\\d bytes, more than its robot's share");
    assertThat(receiver.sequences).isEmpty();
    assertThat(acknowledged).containsExactly(0, 1, 2, 3);
  }

  @Test
  void saysWhichMessageIsLargerThanAllowed() {
    Picky receiver = new Picky();
    for (int i = 0; i < pieces.size(); i++) {
      handOver(i, ROBOT, QueueConsumer.FrameReader.atMost(100_000), receiver);
    }
    assertThat(receiver.dropped)
        .singleElement()
        .extracting(answer -> ((DroppedMessage) answer.body()).why())
        .asString()
        .startsWith(BrokerRefusal.TOO_LARGE.sentence())
        .contains("at most 100000");
  }

  /** Or it would be told to a robot that sent nothing. */
  @Test
  void saysNothingToARobotThatAnotherNames() {
    Picky receiver = new Picky();
    handOver(0, "r2", reader, receiver);
    assertThat(receiver.dropped).isEmpty();
    assertThat(acknowledged).containsExactly(0);
  }

  /** Quorum queues, shovels and federation add some. */
  @Test
  void headersThatABrokerAddsAreNoReasonToRefuseAMessage() {
    assertThat(QueueConsumer.areRefused(null)).isFalse();
    assertThat(QueueConsumer.areRefused(Map.of("x-delivery-count", 3L))).isFalse();
    assertThat(QueueConsumer.areRefused(Map.of("x-shovelled", List.of(Map.of("a", "b")))))
        .isFalse();
  }

  @Test
  void headersThatGiveAMessageToOthersAndLargeOnesAreRefused() {
    assertThat(QueueConsumer.areRefused(Map.of("CC", List.of("service.victim")))).isTrue();
    assertThat(QueueConsumer.areRefused(Map.of("BCC", List.of("service.victim")))).isTrue();
    assertThat(QueueConsumer.areRefused(Map.of("x", "y".repeat(5000)))).isTrue();
  }
}
