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
 * <p>Owns the clients, the thread, and the last message of the topics in {@link #STATES}.
 */
public final class FoxgloveHub implements AutoCloseable {

  /** Maximum number of clients, each of which may have some megabytes waiting for it. */
  public static final int MAX_CLIENTS = 8;

  private static final int END_SECONDS = 1;

  /**
   * Topics whose last message holds until the next: a new subscriber is sent it at once. A new
   * subscriber to the map is sent the whole map instead.
   */
  private static final List<Topic> STATES = List.of(Topic.TF_STATIC, Topic.PATH, Topic.LOOPS);

  private record Message(long stampNanos, byte[] bytes) {}

  private final String session = UUID.randomUUID().toString();
  private final List<FoxgloveClient> clients = new CopyOnWriteArrayList<>();
  private final Map<Topic, Message> states = new ConcurrentHashMap<>();
  private final RunTopics topics = new RunTopics(this::send);

  /**
   * The only client that is sent the messages being encoded; null if all clients are. Used by the
   * encoder's thread alone.
   */
  private FoxgloveClient alone;

  private final BufferedObserver encoder = new BufferedObserver(topics, "foxglove");

  // --- the run ---------------------------------------------------------------------------------

  /** Returns the observer of the run to be shown; its methods return at once. */
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

  /** Returns an id of the run, by which a client that connects again recognises it. */
  String session() {
    return session;
  }

  /** Adds a client; returns false if there are too many already. */
  synchronized boolean add(FoxgloveClient client) {
    return clients.size() < MAX_CLIENTS && clients.add(client);
  }

  void remove(FoxgloveClient client) {
    clients.remove(client);
  }

  /** Sends a new subscriber the topic's last message, if it still holds, or the whole map. */
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

  /** Sends the whole map to a client that lacks it; later updates continue from there. */
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

  /** Sends what waits, for a second at most, and disconnects the clients. */
  @Override
  public void close() {
    encoder.finish(END_SECONDS);
    clients.forEach(each -> each.leave("the run is over"));
  }
}
