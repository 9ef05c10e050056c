package org.cartostream.web.foxglove;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.web.observer.BufferedObserver;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.topic.RunTopics;
import org.cartostream.web.topic.Topic;

/**
 * Hub that sends a run's {@link Topic}s to Foxglove clients. Messages are encoded in a thread of
 * their own, once for all clients.
 *
 * <p>Owns the clients, the thread, and the last message of each topic that holds until the next:
 * whoever subscribes is sent it at once.
 */
public final class FoxgloveHub implements AutoCloseable {

  /** Each client may hold on to some megabytes that it is slow to take. */
  public static final int MAX_CLIENTS = 8;

  private static final int END_SECONDS = 1;

  /** Topics that hold until the next message; a map's updates do so only behind a whole map. */
  private static final List<Topic> STATES = List.of(Topic.TF_STATIC, Topic.PATH, Topic.LOOPS);

  private record Message(long stampNanos, byte[] bytes) {}

  private final String session = UUID.randomUUID().toString();
  private final List<FoxgloveClient> clients = new CopyOnWriteArrayList<>();
  private final Map<Topic, Message> states = new ConcurrentHashMap<>();
  private final RunTopics topics = new RunTopics(this::send);

  /**
   * The only client that is sent the present messages; null if all are. Used by one thread alone.
   */
  private FoxgloveClient alone;

  private final BufferedObserver encoder = new BufferedObserver(topics, "foxglove");

  // --- the run ---------------------------------------------------------------------------------

  /** Is told what the run does, and returns at once. */
  public RunObserver observer() {
    return encoder;
  }

  private void send(Topic topic, long stampNanos, byte[] message) {
    if (STATES.contains(topic)) {
      states.put(topic, new Message(stampNanos, message));
    }
    if (alone != null) {
      alone.send(topic, stampNanos, message);
      return;
    }
    clients.forEach(each -> each.send(topic, stampNanos, message));
  }

  // --- clients ---------------------------------------------------------------------------------

  /** Identifies the run to a client that connects again. */
  String session() {
    return session;
  }

  /** False if there are too many already. */
  synchronized boolean add(FoxgloveClient client) {
    return clients.size() < MAX_CLIENTS && clients.add(client);
  }

  void remove(FoxgloveClient client) {
    clients.remove(client);
  }

  /** A client has subscribed, and lacks what was sent before. */
  void sendState(FoxgloveClient client, Topic topic) {
    if (topic == Topic.MAP) {
      sendWholeMap(client);
    } else if (STATES.contains(topic)) {
      encoder.execute(
          () -> {
            Message last = states.get(topic);
            if (last != null) {
              client.send(topic, last.stampNanos(), last.bytes());
            }
          });
    }
  }

  /** Sends the whole map to a client that lacks it; updates go on from there. */
  void sendWholeMap(FoxgloveClient client) {
    if (client.begsForMap()) {
      encoder.execute(
          () -> {
            client.mapComes();
            alone = client;
            try {
              topics.repeatMap();
            } finally {
              alone = null;
            }
          });
    }
  }

  /** Sends nothing more. */
  @Override
  public void close() {
    encoder.finish(END_SECONDS);
    clients.forEach(each -> each.leave("the run is over"));
  }
}
