package org.cartostream.web.foxglove;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.web.topic.Topic;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/**
 * Foxglove client at the other end of a WebSocket (github.com/foxglove/ws-protocol, version 1): it
 * is told the topics, subscribes to some, and is sent their messages. It can publish and call
 * nothing.
 *
 * <p>Messages that a slow client has not taken yet are bounded: beyond {@link #MAX_PENDING_BYTES}
 * messages are dropped, and a client whose map lacks updates is sent the whole map when there is
 * room again. Owns the session and the subscriptions. Public, because Jetty calls it by reflection.
 */
public final class FoxgloveClient implements Session.Listener.AutoDemanding {

  /** Names of the protocol, the newer first; all that is sent here is the same in both. */
  public static final List<String> PROTOCOLS = List.of("foxglove.sdk.v1", "foxglove.websocket.v1");

  static final long MAX_PENDING_BYTES = 32L << 20;

  /** Maximum length of a client's message: some dozens of subscriptions. */
  private static final int MAX_MESSAGE_BYTES = 1 << 16;

  private static final int MAX_SUBSCRIPTIONS = 100;

  /** Time-out of a silent client, which says nothing while it only looks. */
  private static final Duration IDLE = Duration.ofMinutes(10);

  private static final byte MESSAGE_DATA = 1;
  private static final int STATUS_ERROR = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FoxgloveHub hub;
  private final Map<Long, Topic> subscriptions = new ConcurrentHashMap<>();
  private final AtomicLong pendingBytes = new AtomicLong();
  private final AtomicBoolean mapIsComing = new AtomicBoolean();
  private volatile Session session;

  /** True if a map or an update was dropped and no whole map has been sent since. */
  private volatile boolean lacksMap;

  public FoxgloveClient(FoxgloveHub hub) {
    this.hub = hub;
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    session = opened;
    session.setMaxTextMessageSize(MAX_MESSAGE_BYTES);
    session.setIdleTimeout(IDLE);
    if (!hub.add(this)) {
      session.close(
          StatusCode.TRY_AGAIN_LATER,
          "there are " + FoxgloveHub.MAX_CLIENTS + " clients already, and no more are served",
          Callback.NOOP);
      return;
    }
    send(
        Map.of(
            "op", "serverInfo",
            "name", "Cartostream",
            "capabilities", List.of(),
            "supportedEncodings", List.of(),
            "metadata", Map.of(),
            "sessionId", hub.session()));
    List<Map<String, Object>> channels = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      channels.add(channel(topic));
    }
    send(Map.of("op", "advertise", "channels", channels));
  }

  private static Map<String, Object> channel(Topic topic) {
    Map<String, Object> channel = new LinkedHashMap<>();
    channel.put("id", topic.ordinal());
    channel.put("topic", topic.topic());
    channel.put("encoding", topic.type().isPresent() ? "cdr" : "json");
    channel.put("schemaName", topic.type().map(type -> type.ros2Name()).orElse(""));
    channel.put("schema", topic.type().map(type -> type.ros2Text()).orElse(""));
    channel.put("schemaEncoding", topic.type().isPresent() ? "ros2msg" : "jsonschema");
    return channel;
  }

  @Override
  public void onWebSocketText(String text) {
    try {
      JsonNode message = JSON.readTree(text);
      switch (message.path("op").asText()) {
        case "subscribe" -> message.path("subscriptions").forEach(this::subscribe);
        case "unsubscribe" ->
            message.path("subscriptionIds").forEach(id -> subscriptions.remove(id.asLong()));
        default -> refuse("'%s' is not served here".formatted(message.path("op").asText()));
      }
    } catch (JsonProcessingException e) {
      hub.remove(this);
      session.close(StatusCode.BAD_PAYLOAD, "a message is no JSON", Callback.NOOP);
    }
  }

  private void subscribe(JsonNode subscription) {
    long channel = subscription.path("channelId").asLong(-1);
    if (!subscription.path("id").canConvertToInt()
        || channel < 0
        || channel >= Topic.values().length) {
      refuse("there is no channel %s".formatted(subscription.path("channelId")));
    } else if (subscriptions.size() >= MAX_SUBSCRIPTIONS) {
      refuse("there are %d subscriptions already".formatted(MAX_SUBSCRIPTIONS));
    } else {
      Topic topic = Topic.values()[(int) channel];
      subscriptions.put(subscription.path("id").asLong(), topic);
      hub.sendState(this, topic);
    }
  }

  private void refuse(String sentence) {
    send(Map.of("op", "status", "level", STATUS_ERROR, "message", sentence));
  }

  @Override
  public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
    callback.succeed();
    refuse("nothing can be published here");
  }

  @Override
  public void onWebSocketClose(int statusCode, String reason, Callback callback) {
    hub.remove(this);
    callback.succeed();
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    hub.remove(this);
  }

  /** Sends a message once for each of the client's subscriptions to its topic. */
  void send(Topic topic, long stampNanos, byte[] message) {
    subscriptions.forEach(
        (id, of) -> {
          if (of == topic) {
            send(id, topic, stampNanos, message);
          }
        });
  }

  private void send(long subscription, Topic topic, long stampNanos, byte[] message) {
    boolean isUpdate = topic == Topic.MAP_UPDATES;
    long pending = pendingBytes.get();
    boolean isFull = pending > 0 && pending + message.length > MAX_PENDING_BYTES;
    if (isFull || isUpdate && lacksMap) {
      lacksMap |= topic == Topic.MAP || isUpdate && subscriptions.containsValue(Topic.MAP);
      return;
    }
    if (topic == Topic.MAP) {
      lacksMap = false;
    }
    ByteBuffer data =
        ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES + message.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(MESSAGE_DATA)
            .putInt((int) subscription)
            .putLong(stampNanos)
            .put(message)
            .flip();
    int bytes = data.remaining();
    pendingBytes.addAndGet(bytes);
    session.sendBinary(data, Callback.from(() -> taken(bytes), failure -> hub.remove(this)));
  }

  private void taken(int bytes) {
    if (pendingBytes.addAndGet(-bytes) == 0 && lacksMap) {
      hub.sendWholeMap(this);
    }
  }

  /**
   * Returns true if a whole map must be requested for the client; false while one is on its way.
   */
  boolean begsForMap() {
    return !mapIsComing.getAndSet(true);
  }

  /** Notes that the requested map is sent now, so that another one can be requested. */
  void mapComes() {
    mapIsComing.set(false);
  }

  /** Sends a message as JSON; disconnects a client that makes requests and does not read. */
  private void send(Map<String, Object> message) {
    try {
      String text = JSON.writeValueAsString(message);
      if (pendingBytes.addAndGet(text.length()) > MAX_PENDING_BYTES + MAX_MESSAGE_BYTES) {
        hub.remove(this);
        session.disconnect();
        return;
      }
      session.sendText(
          text, Callback.from(() -> taken(text.length()), failure -> hub.remove(this)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers are JSON", e);
    }
  }

  void leave(String why) {
    hub.remove(this);
    session.close(StatusCode.SHUTDOWN, why, Callback.NOOP);
  }
}
