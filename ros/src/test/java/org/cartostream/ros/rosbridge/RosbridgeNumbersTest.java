package org.cartostream.ros.rosbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that writes numbers as no JSON has them (rosbridge_suite#916, #1319). */
@Quick
class RosbridgeNumbersTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  private static final String HEADER =
      "\"header\":{\"stamp\":{\"sec\":1,\"nanosec\":5},\"frame_id\":\"f\"}";

  private static final String POSE =
      "\"pose\":{\"pose\":{\"position\":{\"x\":1.5,\"y\":0,\"z\":0},"
          + "\"orientation\":{\"x\":0,\"y\":0,\"z\":0,\"w\":1}},\"covariance\":[%s]}";

  private ServerSocket server;
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private final List<LaserScan> scans = new CopyOnWriteArrayList<>();
  private final List<Odometry> odometry = new CopyOnWriteArrayList<>();
  private final CountDownLatch subscribed = new CountDownLatch(1);
  private RosbridgeNode node;

  private final class Troubles implements RosNodeListener {

    @Override
    public void onMasterAway(String why) {}

    @Override
    public void onMasterBack() {}

    @Override
    public void onTrouble(String subject, String why) {
      troubles.add(subject + ": " + why);
    }

    @Override
    public void onShutdown(String why) {}

    @Override
    public void onFailure(String why) {}
  }

  @BeforeEach
  void serve() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::answer, "server of numbers");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    server.close();
  }

  private void answer() {
    try (Socket socket = server.accept()) {
      StringBuilder request = new StringBuilder();
      while (!request.toString().endsWith("\r\n\r\n")) {
        request.append((char) socket.getInputStream().read());
      }
      String key = request.toString().split("(?i)Sec-WebSocket-Key: ")[1].split("\r\n")[0];
      byte[] text =
          (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
      String accept =
          Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
      String answer =
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Accept: "
              + accept
              + "\r\n\r\n";
      socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      subscribed.await();
      for (String message : messages()) {
        socket.getOutputStream().write(frame(message));
      }
      while (socket.getInputStream().read() >= 0) {}
    } catch (Exception e) {
      troubles.add("server: " + e);
    }
  }

  private static byte[] frame(String message) {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(0x81);
    if (text.length < 126) {
      frame.write(text.length);
    } else {
      frame.writeBytes(new byte[] {126, (byte) (text.length >> 8), (byte) text.length});
    }
    frame.writeBytes(text);
    return frame.toByteArray();
  }

  private static List<String> messages() {
    String scan =
        "\"angle_min\":0,\"angle_max\":3,\"angle_increment\":1,\"time_increment\":0,\"scan_time\":0,"
            + "\"range_min\":0.1,\"range_max\":9,\"ranges\":[NaN,Infinity,-Infinity,2.5],"
            + "\"intensities\":[]";
    String twist =
        "\"twist\":{\"twist\":{\"linear\":{\"x\":0,\"y\":0,\"z\":0},"
            + "\"angular\":{\"x\":0,\"y\":0,\"z\":NaN}},\"covariance\":[%s]}";
    String many = "NaN,Infinity" + ",0".repeat(34);
    String odom =
        HEADER + ",\"child_frame_id\":\"b\"," + POSE.formatted(many) + "," + twist.formatted(many);
    return List.of(
        "{\"op\":\"publish\",\"topic\":\"/odom\",\"msg\":{\"broken\":]}",
        "{\"op\":\"publish\",\"topic\":\"/odom\",\"msg\":{" + odom + "}}",
        "{\"op\":\"publish\",\"topic\":\"/scan\",\"msg\":{" + HEADER + "," + scan + "}}");
  }

  @Test
  void readsBareNanAndInfinityAndNamesTheTopicOfWhatCannotBeParsed() {
    URI address = URI.create("ws://127.0.0.1:" + server.getLocalPort());
    node = RosbridgeNode.start(address, new GraphNames("/", "slam", Map.of()), new Troubles());
    node.subscribe("/scan", LaserScan.TYPE, scans::add);
    node.subscribe("/odom", Odometry.TYPE, odometry::add);
    subscribed.countDown();

    await().atMost(SOON).until(() -> scans.size() == 1);

    assertThat(scans.get(0).ranges())
        .containsExactly(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2.5f);
    assertThat(odometry).hasSize(1);
    assertThat(odometry.get(0).pose().pose().position().x()).isEqualTo(1.5);
    assertThat(troubles).singleElement().asString().startsWith("/odom: a message is no JSON");
  }
}
