package org.cartostream.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cartostream.collectives.ForwardingChannel;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Four processes on two hosts: a and b on the first, c and d on the second. Ranks 0 to 4 receive; 5
 * and 6 only send.
 */
@Quick
class ProcessBroadcastTest {

  private static final int RECEIVERS = 5;
  private static final int RANKS = 7;
  private static final int MAX_BYTES = 1 << 20;
  private static final byte UNREADABLE = -1;

  private final MemoryGroup group = new MemoryGroup(RANKS, CollectiveSettings.defaults());
  private final InetSocketAddress[] addresses = new InetSocketAddress[RANKS];
  private final Map<String, Worker> processes = new TreeMap<>();

  /** Number of parts that went from one host to another, or within it, by both names. */
  private final Map<String, Integer> crossed = new HashMap<>();

  private Predicate<Frame> isLost = frame -> false;

  private final Worker a = new Worker("one", 0, 1, 5);
  private final Worker b = new Worker("one", 2);
  private final Worker c = new Worker("two", 3, 6);
  private final Worker d = new Worker("two", 4);

  private final class Worker implements ProcessBroadcast.Listener {
    final List<byte[]> received = new ArrayList<>();
    final List<String> missed = new ArrayList<>();
    final ProcessBroadcast broadcast;
    boolean hasRoom = true;

    Worker(String host, Integer... ranks) {
      this(1, host, ranks);
    }

    Worker(long epoch, String host, Integer... ranks) {
      InetSocketAddress own = InetSocketAddress.createUnresolved(host, processes.size() + 1);
      List.of(ranks).forEach(rank -> addresses[rank] = own);
      processes.put(host + processes.size(), this);
      GroupChannel channel = new Link(group.channel(ranks[0]));
      broadcast =
          new ProcessBroadcast(
              channel,
              own,
              rank -> Optional.ofNullable(addresses[rank]),
              RECEIVERS,
              epoch,
              MAX_BYTES,
              this);
    }

    @Override
    public void received(byte[] message) {
      if (message[0] == UNREADABLE) {
        throw new IllegalStateException("it cannot be read");
      }
      received.add(message);
    }

    @Override
    public void missed(String sentence) {
      missed.add(sentence);
    }

    @Override
    public boolean hasRoom() {
      return hasRoom;
    }
  }

  /** A channel that counts, and loses what it is told to. */
  private final class Link extends ForwardingChannel {
    Link(GroupChannel channel) {
      super(channel);
    }

    @Override
    public void send(Frame frame, int... to) {
      if (!isLost.test(frame)) {
        for (int rank : to) {
          if (frame.kind() == Frame.Kind.PART) {
            String link =
                addresses[rank()].getHostString() + " to " + addresses[rank].getHostString();
            crossed.merge(link, 1, Integer::sum);
          }
        }
        super.send(frame, to);
      }
    }
  }

  @AfterEach
  void close() {
    processes.values().forEach(process -> process.broadcast.close());
  }

  private Stream<Worker> all() {
    return processes.values().stream();
  }

  private static byte[] message(int number) {
    return new byte[] {(byte) number};
  }

  private static boolean isPart(Frame frame, long number) {
    return frame.kind() == Frame.Kind.PART && frame.key().round() == number;
  }

  @Test
  void aMessageGoesOnceToTheOtherHostAndOnceToEachProcess() {
    a.broadcast.send(message(1));
    assertThat(crossed).isEqualTo(Map.of("one to one", 1, "one to two", 1, "two to two", 1));
    assertThat(a.received).isEmpty();
    assertThat(Stream.of(b, c, d))
        .allMatch(each -> Arrays.equals(each.received.get(0), message(1)));
  }

  @Test
  void eachProcessGetsAllMessagesOfEachSenderInTheirOrder() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Map<Worker, List<byte[]>> sent = Map.of(a, new ArrayList<>(), c, new ArrayList<>());
    for (int number = 0; number < 60; number++) {
      Worker sender = random.nextBoolean() ? a : c;
      byte[] message = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 300_000)];
      random.nextBytes(message);
      message[0] = (byte) (sender == a ? 'a' : 'c');
      sent.get(sender).add(message.clone());
      sender.broadcast.send(message);
      Arrays.fill(message, (byte) 0); // Belongs to the sender again.
    }
    sent.forEach(
        (sender, messages) ->
            all()
                .filter(receiver -> receiver != sender)
                .forEach(
                    receiver ->
                        assertThat(
                                receiver.received.stream().filter(m -> m[0] == messages.get(0)[0]))
                            .containsExactlyElementsOf(messages)));
    assertThat(all()).allMatch(each -> each.missed.isEmpty());
  }

  @Test
  void aMissingMessageIsNoticedByTheNext() {
    a.broadcast.send(message(1));
    isLost = frame -> isPart(frame, 2) && frame.source() == 3; // The relay's copy for d.
    a.broadcast.send(message(2));
    assertThat(d.missed).isEmpty();
    a.broadcast.send(message(3));
    assertThat(d.missed).containsExactly("1 messages or parts of them did not arrive from rank 0");
    assertThat(d.received).containsExactly(message(1), message(3));
    assertThat(c.received).hasSize(3);
    assertThat(Stream.of(b, c)).allMatch(each -> each.missed.isEmpty());
  }

  @Test
  void aMissingLastMessageIsNoticedByTheNextBeat() {
    a.broadcast.send(message(1));
    isLost = frame -> isPart(frame, 2);
    a.broadcast.send(message(2));
    a.broadcast.beat();
    a.broadcast.beat();
    assertThat(Stream.of(b, c, d)).allMatch(each -> each.missed.size() == 1);
  }

  @Test
  void aMessageOfWhichAPartIsMissingIsNotReceived() {
    isLost = frame -> isPart(frame, 2);
    a.broadcast.send(new byte[200_000]);
    isLost = frame -> false;
    a.broadcast.send(message(9));
    assertThat(Stream.of(b, c, d))
        .allMatch(each -> each.received.size() == 1 && each.missed.size() == 1);
    assertThat(b.received.get(0)).isEqualTo(message(9));
  }

  @Test
  void aMessageThatCannotBeReadIsMissing() {
    a.broadcast.send(new byte[] {UNREADABLE});
    a.broadcast.send(message(2));
    assertThat(Stream.of(b, c, d))
        .allMatch(each -> each.received.size() == 1)
        .allMatch(each -> each.missed.size() == 1)
        .allMatch(each -> each.missed.get(0).contains("it cannot be read"));
  }

  @Test
  void whoHasASuccessorIsNotHeard() {
    a.broadcast.send(message(1));
    a.broadcast.close();
    Worker heir = new Worker(2, "three", 0, 1, 5);
    heir.broadcast.send(message(2));
    a.broadcast.send(message(3));
    heir.broadcast.send(message(4));
    assertThat(d.received).containsExactly(message(1), message(2), message(4));
    assertThat(d.missed).isEmpty();
  }

  /** d hears nothing while its relay is gone; then all that it has missed is one gap. */
  @Test
  void aLostRelayIsAGap() {
    a.broadcast.send(message(1));
    c.broadcast.close();
    a.broadcast.send(message(2));
    assertThat(d.received).containsExactly(message(1));
    new Worker(2, "one", 3, 6);
    a.broadcast.beat();
    assertThat(d.missed).hasSize(1);
    a.broadcast.send(message(3));
    assertThat(d.received).containsExactly(message(1), message(3));
  }

  /** Parts and beats are lost by chance, on the way to a relay and from there. */
  @Test
  void whateverIsLostIsNoticed() {
    for (int round = 0; round < 200; round++) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      all().forEach(each -> each.received.clear());
      all().forEach(each -> each.missed.clear());
      isLost = frame -> random.nextInt(30) == 0;
      int count = 1 + random.nextInt(20);
      for (int number = 0; number < count; number++) {
        a.broadcast.send(message(number));
        if (random.nextInt(4) == 0) {
          a.broadcast.beat();
        }
      }
      isLost = frame -> false;
      a.broadcast.beat();
      for (Worker each : List.of(b, c, d)) {
        List<Integer> numbers = each.received.stream().map(message -> (int) message[0]).toList();
        assertThat(numbers).as("seed " + seed).isSorted().doesNotHaveDuplicates();
        assertThat(each.missed.isEmpty()).as("seed " + seed).isEqualTo(numbers.size() == count);
      }
    }
  }

  @Test
  void aSenderHasNoRoomWhileAReceiverIsBehind() {
    d.hasRoom = false;
    for (int count = 0; count < ProcessBroadcast.WINDOW_PARTS; count++) {
      assertThat(a.broadcast.hasRoom()).isTrue();
      a.broadcast.send(message(count % 100));
    }
    assertThat(a.broadcast.hasRoom()).isFalse();
    a.broadcast.send(message(0)); // What cannot wait goes nevertheless.
    assertThat(d.received).hasSize(ProcessBroadcast.WINDOW_PARTS + 1);
    a.broadcast.beat();
    assertThat(a.broadcast.hasRoom()).isFalse();
    d.hasRoom = true;
    a.broadcast.beat();
    assertThat(a.broadcast.hasRoom()).isTrue();
    assertThat(c.broadcast.hasRoom()).isTrue();
  }
}
