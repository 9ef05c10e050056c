package org.cartostream.ros.rtps.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.ros2.Ros2Node;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.discovery.ParticipantData;
import org.cartostream.ros.rtps.wire.EntityIds;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.GuidPrefix;
import org.cartostream.ros.rtps.wire.PacketWriter;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.Submessage;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of ROS 2 in a process with a heap of 128 MB, which strangers send 1,000,000 packets: each
 * tells of another endpoint that nobody shares, half of them of another participant, too.
 */
@Nightly
@Timeout(300)
class DiscoveryFloodIT {

  private static final int DOMAIN = 76;
  private static final int PACKETS = 1_000_000;
  private static final int FIRST_PACKETS = 200_000;
  private static final int BATCH = 100;

  /** Participants that tell of one endpoint after the other. */
  private static final int STEADY = 50;

  private static final long SEED = 54;
  private static final long MAX_GROWTH_KILOBYTES = 10 << 10;
  private static final String TYPE = "sensor_msgs::msg::dds_::LaserScan_";
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final InetSocketAddress NODE =
      new InetSocketAddress(LOOPBACK, UdpPorts.unicast(DOMAIN, 0));

  private final Random random = new Random(SEED);
  private int count;

  @TempDir private Path folder;

  private static DomainAccess access() {
    return new DomainAccess(DOMAIN, List.of(LOOPBACK), true, false, List.of(LOOPBACK));
  }

  /** The node: it says so when somebody publishes a scan, and ends. */
  public static final class Node {

    private Node() {}

    /** Without arguments. */
    public static void main(String[] arguments) throws Exception {
      try (Ros2Node node =
          Ros2Node.start(access(), new GraphNames("/", "flooded", Map.of()), new MasterMonitor())) {
        while (!node.isPublished("scan", LaserScan.TYPE)) {
          TimeUnit.MILLISECONDS.sleep(100);
        }
        System.out.println("somebody scans");
      }
    }
  }

  private static Submessage.Data data(int writer, long number, byte[] payload) {
    return new Submessage.Data(
        EntityIds.UNKNOWN, writer, number, new ParameterList(), false, payload);
  }

  /** A participant, new or one of a few, with another endpoint. */
  private byte[] stranger(InetSocketAddress at, boolean isNew) {
    GuidPrefix prefix =
        isNew
            ? new GuidPrefix(random.nextLong(), random.nextInt())
            : new GuidPrefix(0x0f0f_0000_0000_0000L, random.nextInt(STEADY));
    int number = ++count;
    ParticipantData participant =
        new ParticipantData(
            new Guid(prefix, EntityIds.PARTICIPANT),
            DOMAIN,
            TimeUnit.SECONDS.toNanos(1000),
            ParticipantData.ALL_BUILTINS,
            List.of(at),
            List.of(at));
    Guid endpoint = new Guid(prefix, EntityIds.writer(number));
    String topic = "rt/" + "x".repeat(random.nextInt(1000));
    return new PacketWriter(prefix, GuidPrefix.UNKNOWN)
        .add(data(EntityIds.SPDP_WRITER, 1, participant.payload("stranger")))
        .add(
            new Submessage.Heartbeat(
                0, EntityIds.PUBLICATIONS_WRITER, number, number, number, true))
        .add(
            data(
                EntityIds.PUBLICATIONS_WRITER,
                number,
                EndpointData.payload(endpoint, topic, TYPE, TopicQos.RELIABLE)))
        .bytes();
  }

  /** Sends to the node; the last of a batch is answered when all before have been taken. */
  private void flood(DatagramSocket socket, DatagramSocket unheard, int packets) throws Exception {
    InetSocketAddress nowhere = new InetSocketAddress(LOOPBACK, unheard.getLocalPort());
    InetSocketAddress here = new InetSocketAddress(LOOPBACK, socket.getLocalPort());
    DatagramPacket answer = new DatagramPacket(new byte[1 << 16], 1 << 16);
    for (int sent = 0; sent < packets; sent += BATCH) {
      for (int i = 1; i < BATCH; i++) {
        byte[] packet = stranger(nowhere, i % 2 == 0);
        socket.send(new DatagramPacket(packet, packet.length, NODE));
      }
      boolean answered = false;
      while (!answered) {
        byte[] packet = stranger(here, true);
        socket.send(new DatagramPacket(packet, packet.length, NODE));
        try {
          socket.receive(answer);
          answered = true;
        } catch (SocketTimeoutException e) {
          // It is asked again.
        }
      }
    }
  }

  private static long residentKilobytes(Process process) throws Exception {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  /** The heap is all resident from the beginning. */
  private static long liveKilobytes(Process process) throws Exception {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "GC.class_histogram") // After a collection of all that is not live.
            .redirectErrorStream(true)
            .start();
    return new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("Total"))
        .mapToLong(line -> Long.parseLong(line.trim().split(" +")[2]) >> 10)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void strangersDoNotFillTheMemoryAndTheRobotIsFound() throws Exception {
    System.out.println("seed " + SEED);
    Path said = folder.resolve("node.out");
    Process node =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Xms128m",
                "-XX:+AlwaysPreTouch",
                "-cp",
                System.getProperty("java.class.path"),
                Node.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK);
        DatagramSocket unheard = new DatagramSocket(0, LOOPBACK)) {
      socket.setSoTimeout(500);
      flood(socket, unheard, FIRST_PACKETS);
      long first = residentKilobytes(node);
      long firstLive = liveKilobytes(node);
      flood(socket, unheard, PACKETS - FIRST_PACKETS);
      long last = residentKilobytes(node);
      long lastLive = liveKilobytes(node);
      System.out.printf(
          "resident: %d kB, then %d kB; live: %d kB, then %d kB%n",
          first, last, firstLive, lastLive);
      assertThat(lastLive - firstLive).as("kB").isLessThanOrEqualTo(MAX_GROWTH_KILOBYTES);
      assertThat(last - first).as("kB").isLessThanOrEqualTo(MAX_GROWTH_KILOBYTES);
      assertThat(node.isAlive()).isTrue();
      assertThat(Files.readString(said)).doesNotContain("somebody scans", "OutOfMemory");
      try (Ros2Node robot =
          Ros2Node.start(access(), new GraphNames("/", "robot", Map.of()), new MasterMonitor())) {
        robot.advertise("scan", LaserScan.TYPE, false);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> Files.readString(said).contains("somebody scans"));
      }
    } finally {
      node.destroyForcibly().waitFor();
    }
  }
}
