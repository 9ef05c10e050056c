package org.cartostream.ros.rtps.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.ParticipantData;
import org.cartostream.ros.rtps.wire.EntityIds;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.MalformedPacketException;
import org.cartostream.ros.rtps.wire.NumberSet;
import org.cartostream.ros.rtps.wire.PacketReader;
import org.cartostream.ros.rtps.wire.PacketWriter;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.Submessage;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A participant that is sent 100,000 packets which are nearly right, by one that it knows. */
@Nightly
@Timeout(180)
class FuzzedPacketsIT {

  private static final int PACKETS = 100_000;
  private static final int BATCH = 100;
  private static final int DOMAIN = 73;
  private static final long SEED = 35;
  private static final long MAX_GROWTH_BYTES = 40 << 20;
  private static final GuidPrefix PEER = new GuidPrefix(0x0f0f_0000_0000_0001L, 1);
  private static final int WRITER = EntityIds.writer(1);
  private static final int READER = EntityIds.reader(2);
  private static final String TYPE = "std_msgs::msg::dds_::Float64_";

  private final Random random = new Random(SEED);
  private int count;

  private static Submessage.Data data(int reader, int writer, long number, byte[] payload) {
    return new Submessage.Data(reader, writer, number, new ParameterList(), false, payload);
  }

  private PacketWriter announcement(DatagramSocket socket) {
    List<InetSocketAddress> here =
        List.of(new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort()));
    ParticipantData self =
        new ParticipantData(
            new Guid(PEER, EntityIds.PARTICIPANT),
            DOMAIN,
            TimeUnit.SECONDS.toNanos(1000),
            ParticipantData.ALL_BUILTINS,
            here,
            here);
    return packet()
        .add(data(EntityIds.SPDP_READER, EntityIds.SPDP_WRITER, 1, self.payload("peer")));
  }

  private static PacketWriter packet() {
    return new PacketWriter(PEER, GuidPrefix.UNKNOWN);
  }

  /** One of every kind, of the endpoints that the participant has matched. */
  private List<byte[]> packets(DatagramSocket socket) {
    NumberSet numbers = new NumberSet(2, List.of(2L, 40L, 250L));
    byte[] writer =
        EndpointData.payload(new Guid(PEER, WRITER), "rt/count", TYPE, TopicQos.LATCHED);
    byte[] reader =
        EndpointData.payload(new Guid(PEER, READER), "rt/numbers", TYPE, TopicQos.RELIABLE);
    Submessage.Data part = data(0, WRITER, 3, new byte[1000]);
    int ours = EntityIds.writer(1);
    List<byte[]> packets = new ArrayList<>();
    packets.add(announcement(socket).bytes());
    packets.add(packet().add(data(0, EntityIds.PUBLICATIONS_WRITER, 1, writer)).bytes());
    packets.add(packet().add(data(0, EntityIds.SUBSCRIPTIONS_WRITER, 1, reader)).bytes());
    packets.add(
        packet()
            .add(new Submessage.Heartbeat(0, EntityIds.PUBLICATIONS_WRITER, 1, 1, 1, false))
            .add(new Submessage.Heartbeat(0, EntityIds.SUBSCRIPTIONS_WRITER, 1, 1, 1, false))
            .bytes());
    packets.add(packet().stamp(5).add(data(0, WRITER, 1, new byte[12])).bytes());
    packets.add(packet().add(new Submessage.DataFrag(part, 3, 1, 1000, 1_000_000)).bytes());
    packets.add(packet().add(new Submessage.Heartbeat(0, WRITER, 1, 9, 1, false)).bytes());
    packets.add(packet().add(new Submessage.HeartbeatFrag(0, WRITER, 1, 9, 1)).bytes());
    packets.add(packet().add(new Submessage.Gap(0, WRITER, 2, numbers)).bytes());
    packets.add(packet().add(new Submessage.AckNack(READER, ours, numbers, 1, false)).bytes());
    packets.add(packet().add(new Submessage.NackFrag(READER, ours, 1, numbers, 1)).bytes());
    return packets;
  }

  private byte[] changed(byte[] packet) {
    byte[] changed = packet.clone();
    for (int i = random.nextInt(6); i >= 0; i--) {
      changed[20 + random.nextInt(changed.length - 20)] =
          (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4) - 1);
    }
    int length = random.nextInt(20) == 0 ? random.nextInt(changed.length) : changed.length;
    return Arrays.copyOf(changed, length);
  }

  /** All that was sent before has been taken when a heartbeat answers. */
  private void awaitAnswer(DatagramSocket socket, InetSocketAddress to) throws Exception {
    AtomicLong beats = new AtomicLong();
    byte[] buffer = new byte[1 << 16];
    while (beats.get() == 0) {
      send(socket, to, announcement(socket).bytes());
      NumberSet none = new NumberSet(1, List.of());
      Submessage ask =
          new Submessage.AckNack(
              EntityIds.PUBLICATIONS_READER,
              EntityIds.PUBLICATIONS_WRITER,
              none,
              1_000_000_000 + ++count,
              false);
      send(socket, to, packet().add(ask).bytes());
      try {
        while (beats.get() == 0) {
          DatagramPacket received = new DatagramPacket(buffer, buffer.length);
          socket.receive(received);
          PacketReader.read(
              ByteBuffer.wrap(buffer, 0, received.getLength()),
              PEER,
              (sender, submessage) -> {
                if (submessage instanceof Submessage.Heartbeat beat
                    && beat.writerId() == EntityIds.PUBLICATIONS_WRITER) {
                  beats.incrementAndGet();
                }
              });
        }
      } catch (SocketTimeoutException | MalformedPacketException e) {
        // It is asked again.
      }
    }
  }

  private static void send(DatagramSocket socket, InetSocketAddress to, byte[] packet)
      throws Exception {
    socket.send(new DatagramPacket(packet, packet.length, to));
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void nothingCrashesHangsOrGrows() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    DomainAccess access = new DomainAccess(DOMAIN, List.of(loopback), true, false, List.of());
    List<Integer> participants = new ArrayList<>();
    List<byte[]> taken = new ArrayList<>();
    ParticipantListener listener =
        new ParticipantListener() {
          @Override
          public void onParticipants(int others) {
            participants.add(others);
          }

          @Override
          public void onMismatch(String topic, String who, String why) {}
        };
    try (Participant participant = Participant.join(access, "fuzzed", listener);
        DatagramSocket socket = new DatagramSocket(0, loopback)) {
      socket.setSoTimeout(500);
      Participant.Writer numbers =
          participant.write("rt/numbers", TYPE, TopicQos.RELIABLE, any -> true);
      participant.read("rt/count", TYPE, TopicQos.LATCHED, sample -> taken.add(sample.payload()));
      InetSocketAddress to = new InetSocketAddress(loopback, UdpPorts.unicast(DOMAIN, 0));
      awaitAnswer(socket, to);
      List<byte[]> packets = packets(socket);
      for (byte[] each : packets) {
        send(socket, to, each);
      }
      awaitAnswer(socket, to);
      await().atMost(Duration.ofSeconds(10)).until(() -> numbers.readers() == 1);
      numbers.write(new ParameterList(), new byte[4000]);
      assertThat(taken).as("of a packet that is right").hasSize(1);
      long before = 0;
      for (int sent = 0; sent < PACKETS; sent += BATCH) {
        for (int i = 0; i < BATCH; i++) {
          send(socket, to, changed(packets.get(random.nextInt(packets.size()))));
        }
        awaitAnswer(socket, to);
        if (sent == PACKETS / 10) {
          before = usedBytes();
        }
      }
      assertThat(usedBytes() - before)
          .as("growth, bytes, by seed %d", SEED)
          .isLessThan(MAX_GROWTH_BYTES);
      assertThat(participants).isNotEmpty();
    }
  }
}
