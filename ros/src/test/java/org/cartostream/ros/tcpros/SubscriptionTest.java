package org.cartostream.ros.tcpros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.xmlrpc.XmlRpcClient;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SubscriptionTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int MAX = 10;

  /** Nobody is at any of them. */
  private static List<String> publishers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "http://127.0.0.1:1/" + i).toList();
  }

  private static long threadsOf(String node) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(node + " receives /topic from "))
        .count();
  }

  /**
   * The log tells of each once in a while; a sentence that is another each time it tells always.
   */
  @Test
  void saysOfEachPublisherWhyItIsNotHeard() {
    RecordingListener recordingListener = new RecordingListener();
    Subscription<Float64> topic = new Subscription<>("/topic", Float64.TYPE, MAX, message -> {});
    try {
      topic.publishers(publishers(2), new XmlRpcClient("/stale"), "/stale", recordingListener);
      await().atMost(SOON).until(() -> recordingListener.subjects.size() >= 6);
    } finally {
      topic.close();
    }
    assertThat(recordingListener.subjects)
        .containsOnly("/topic from http://127.0.0.1:1/0", "/topic from http://127.0.0.1:1/1");
    assertThat(recordingListener.trouble).noneMatch(told -> told.split("127.0.0.1").length > 2);
  }

  @Test
  void linksToABoundedNumberOfPublishersAndSaysWhatIsLeftOut() {
    RecordingListener recordingListener = new RecordingListener();
    XmlRpcClient xmlRpcClient = new XmlRpcClient("/bounded");
    Subscription<Float64> topic = new Subscription<>("/topic", Float64.TYPE, MAX, message -> {});
    try {
      topic.publishers(publishers(MAX), xmlRpcClient, "/bounded", recordingListener);
      assertThat(threadsOf("/bounded")).isEqualTo(MAX);
      assertThat(recordingListener.trouble).noneMatch(told -> told.contains("at most"));
      topic.publishers(publishers(MAX + 36), xmlRpcClient, "/bounded", recordingListener);
      assertThat(threadsOf("/bounded")).isEqualTo(MAX);
      assertThat(recordingListener.trouble)
          .filteredOn(told -> told.contains("at most"))
          .singleElement()
          .asString()
          .startsWith("/topic: 36 publishers are left out");
    } finally {
      topic.close();
    }
  }
}
