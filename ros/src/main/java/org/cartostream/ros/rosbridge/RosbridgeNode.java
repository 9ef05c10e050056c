package org.cartostream.ros.rosbridge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.serialization.ServiceType;

/**
 * A node in a ROS 2 graph, through a rosbridge server. The listener is told of the server as of a
 * master of ROS 1: subscriptions, topics and services are announced again when the server is back.
 *
 * <p>Topics are subscribed to as {@code cbor-raw}: the message in CDR, which is shorter than JSON
 * and can hold infinity. A server that does not support this is asked for {@code cbor}, and then
 * for JSON.
 *
 * <p>The server publishes latched topics as {@code transient_local} in ROS 2. A node in ROS 2 keeps
 * its parameters itself, so none are asked for.
 *
 * <p>Owns its connection, subscriptions, topics and services.
 */
public final class RosbridgeNode implements RosNode {

  /** Servers write NaN and infinity as bare words (rosbridge_suite#916, #1319). */
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private static final ObjectMapper CBOR = new CBORMapper();

  private static final String SUBSCRIBE_ID = "subscribe:";

  /** Compressions of topics, in the order in which they are tried until the server supports one. */
  private static final List<String> COMPRESSIONS = List.of("cbor-raw", "cbor", "none");

  /** Finds the topic of a message that cannot be parsed. */
  private static final Pattern TOPIC = Pattern.compile("\"topic\"\\s*:\\s*\"([^\"]{1,256})\"");

  private static final int GREATEST_PORT = 65535;

  /** Length of the queue that the server keeps for a slow link, messages. */
  private static final int QUEUE = 10;

  private final GraphNames names;
  private final RosNodeListener listener;
  private final RosbridgeConnection link;
  private final Map<String, SubscribedTopic<?>> subscribed = new ConcurrentHashMap<>();

  /** Index of the compression that was last requested, by topic; absent for 0. */
  private final Map<String, Integer> compressions = new ConcurrentHashMap<>();

  private final Map<String, AdvertisedTopic<?>> advertised = new ConcurrentHashMap<>();
  private final Map<String, AdvertisedService<?, ?>> services = new ConcurrentHashMap<>();

  private RosbridgeNode(URI server, GraphNames names, RosNodeListener listener) {
    this.names = names;
    this.listener = listener;
    this.link =
        new RosbridgeConnection(
            server, new ServerMessageHandler(), RosbridgeConnection.Timing.SYSTEM);
  }

  /**
   * Starts a node, which connects to the server when it can.
   *
   * @param server such as {@code ws://robot:9090}
   */
  public static RosbridgeNode start(URI server, GraphNames names, RosNodeListener listener) {
    RosbridgeNode node = new RosbridgeNode(server, names, listener);
    node.link.start();
    return node;
  }

  /**
   * Reads a server's address.
   *
   * @throws RosException if the text is not a valid address
   */
  public static URI address(String text) {
    try {
      URI address = URI.create(text);
      boolean socket = "ws".equals(address.getScheme()) || "wss".equals(address.getScheme());
      boolean port = address.getPort() != 0 && address.getPort() <= GREATEST_PORT;
      if (socket && address.getHost() != null && port && address.getRawFragment() == null) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw new RosException(noAddress(text), e);
    }
    throw new RosException(noAddress(text) + whyNoHost(text));
  }

  private static String whyNoHost(String text) {
    return text.split("/").length > 2 && text.split("/")[2].contains("_")
        ? "; a host's name may have no underscore here, its number serves as well"
        : "";
  }

  private static String noAddress(String text) {
    return "'"
        + text
        + "' is no rosbridge server's address, as ws://robot:9090 is one; a port is 1 to 65535, and"
        + " nothing may follow a #";
  }

  @Override
  public GraphNames names() {
    return names;
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.empty();
  }

  @Override
  public void close() {
    link.close();
  }

  private static ObjectNode operation(String op, String key, String name) {
    return JSON.createObjectNode().put("op", op).put(key, name);
  }

  // --- topics ----------------------------------------------------------------------------------

  private record SubscribedTopic<M extends Record>(
      String topic, MessageType<M> type, Consumer<M> messages) {

    String subscribeRequest(int compression) {
      return operation("subscribe", "topic", topic)
          .put("id", SUBSCRIBE_ID + topic)
          .put("compression", COMPRESSIONS.get(compression))
          .put("type", type.ros2Name())
          .put("queue_length", QUEUE)
          .toString();
    }

    void deliver(JsonNode message) {
      messages.accept(type.fromJson(message));
    }

    void deliverRaw(byte[] message) {
      messages.accept(type.decodeCdr(message));
    }
  }

  @Override
  public <M extends Record> void subscribe(
      String topic, MessageType<M> type, TopicQos qos, Consumer<M> messages) {
    String global = names.resolve(topic);
    SubscribedTopic<M> subscribedTopic = new SubscribedTopic<>(global, type, messages);
    // A second refusal of the same compression would count as a refusal of the next one.
    link.sendWith(
        () -> {
          if (subscribed.putIfAbsent(global, subscribedTopic) != null) {
            throw new RosException(name() + " subscribes to " + global + " already");
          }
        },
        subscribedTopic.subscribeRequest(0));
  }

  /** A published topic. Owns the last message if the topic is latched. */
  private final class AdvertisedTopic<M extends Record> implements Publisher<M> {

    private final String topic;
    private final MessageType<M> type;
    private final boolean latched;
    private volatile String last;

    AdvertisedTopic(String topic, MessageType<M> type, boolean latched) {
      this.topic = topic;
      this.type = type;
      this.latched = latched;
    }

    String advertiseRequest() {
      return operation("advertise", "topic", topic)
          .put("id", "advertise:" + topic)
          .put("type", type.ros2Name())
          .put("latch", latched)
          .toString();
    }

    @Override
    public void send(M message) {
      if (!latched && !link.isUp()) {
        return;
      }
      String json =
          operation("publish", "topic", topic).set("msg", type.toJson(message)).toString();
      last = latched ? json : null;
      link.send(json);
    }

    /** Returns 1 for the server, if it is there: the number of its subscribers is unknown. */
    @Override
    public int subscribers() {
      return link.isUp() ? 1 : 0;
    }
  }

  @Override
  public <M extends Record> Publisher<M> advertise(
      String topic, MessageType<M> type, boolean latched) {
    String global = names.resolve(topic);
    AdvertisedTopic<M> advertisedTopic = new AdvertisedTopic<>(global, type, latched);
    if (advertised.putIfAbsent(global, advertisedTopic) != null) {
      throw new RosException(name() + " publishes " + global + " already");
    }
    link.send(advertisedTopic.advertiseRequest());
    return advertisedTopic;
  }

  // --- services --------------------------------------------------------------------------------

  private record AdvertisedService<Q extends Record, A extends Record>(
      String service, ServiceType<Q, A> type, Function<Q, A> answer) {

    String advertiseRequest() {
      return operation("advertise_service", "service", service)
          .put("type", type.ros2Name())
          .toString();
    }

    /**
     * Returns the arguments of a service call; if there are none, the field may be missing or an
     * empty list.
     */
    String call(JsonNode call) {
      ObjectNode response = operation("service_response", "service", service);
      if (call.has("id")) {
        response.set("id", call.get("id"));
      }
      JsonNode given = call.path("args");
      try {
        Q request = type.request().fromJson(given.isObject() ? given : JSON.createObjectNode());
        response.set("values", type.response().toJson(answer.apply(request)));
        return response.put("result", true).toString();
      } catch (RosException e) {
        return response.put("values", e.getMessage()).put("result", false).toString();
      }
    }
  }

  @Override
  public <Q extends Record, A extends Record> void advertiseService(
      String service, ServiceType<Q, A> type, Function<Q, A> answer) {
    String global = names.resolve(service);
    AdvertisedService<Q, A> advertisedService = new AdvertisedService<>(global, type, answer);
    if (services.putIfAbsent(global, advertisedService) != null) {
      throw new RosException(name() + " serves " + global + " already");
    }
    link.send(advertisedService.advertiseRequest());
  }

  // --- messages of the server ------------------------------------------------------------------

  private final class ServerMessageHandler implements RosbridgeConnection.Handler {

    /**
     * Returns the messages of the handshake, latched ones last: if the connection breaks at a large
     * map, the node still receives scans.
     */
    @Override
    public List<String> handshakeMessages() {
      List<String> messages = new ArrayList<>();
      services.values().forEach(each -> messages.add(each.advertiseRequest()));
      advertised.values().forEach(each -> messages.add(each.advertiseRequest()));
      compressions.clear(); // It may be another server, or a newer one.
      subscribed.values().forEach(each -> messages.add(each.subscribeRequest(0)));
      advertised.values().stream()
          .map(each -> each.last)
          .filter(Objects::nonNull)
          .forEach(messages::add);
      return messages;
    }

    @Override
    public void onConnected() {
      listener.onMasterBack();
    }

    @Override
    public void onDisconnected(String why) {
      listener.onMasterAway(why);
    }

    @Override
    public void onDropped(String why) {
      listener.onTrouble("rosbridge", why);
    }

    @Override
    public void onMessage(String message) {
      String about = "rosbridge";
      try {
        JsonNode json = JSON.readTree(message);
        about = json.path("topic").asText(json.path("service").asText(about));
        dispatch(json);
      } catch (JsonProcessingException e) {
        Matcher topic = TOPIC.matcher(message);
        listener.onTrouble(
            topic.find() ? topic.group(1) : about,
            "a message is no JSON: " + e.getOriginalMessage());
      } catch (RosException e) {
        listener.onTrouble(about, "a message is not used: " + e.getMessage());
      }
    }

    @Override
    public void onBinaryMessage(byte[] message) {
      String about = "rosbridge";
      try {
        JsonNode cbor = CBOR.readTree(message);
        about = cbor.path("topic").asText(about);
        SubscribedTopic<?> subscribedTopic = subscribed.get(about);
        JsonNode bytes = cbor.at("/msg/bytes");
        if (subscribedTopic != null && bytes.isBinary()) {
          subscribedTopic.deliverRaw(bytes.binaryValue());
        } else if (subscribedTopic != null) {
          subscribedTopic.deliver(cbor.path("msg"));
        }
      } catch (IOException e) {
        listener.onTrouble(about, "a message is no CBOR: " + e.getMessage());
      } catch (RosException e) {
        listener.onTrouble(about, "a message is not used: " + e.getMessage());
      }
    }

    private void dispatch(JsonNode json) {
      switch (json.path("op").asText()) {
        case "publish" -> {
          SubscribedTopic<?> subscribedTopic = subscribed.get(json.path("topic").asText());
          if (subscribedTopic != null) {
            if (!compressions.containsKey(subscribedTopic.topic())) {
              askForNextCompression(subscribedTopic); // It has not said that it has no cbor-raw.
            }
            subscribedTopic.deliver(json.path("msg"));
          }
        }
        case "call_service" -> {
          AdvertisedService<?, ?> advertisedService = services.get(json.path("service").asText());
          if (advertisedService != null) {
            link.send(advertisedService.call(json));
          }
        }
        case "status" -> trouble(json);
        default ->
            throw new RosException("this node expects no '" + json.path("op").asText() + "'");
      }
    }

    /** Requests a topic with the next compression; false if there is none. */
    private boolean askForNextCompression(SubscribedTopic<?> topic) {
      int next = compressions.getOrDefault(topic.topic(), 0) + 1;
      if (next == COMPRESSIONS.size()) {
        return false;
      }
      compressions.put(topic.topic(), next);
      link.send(topic.subscribeRequest(next));
      return true;
    }

    private void trouble(JsonNode status) {
      String level = status.path("level").asText();
      String id = status.path("id").asText();
      SubscribedTopic<?> refused =
          id.startsWith(SUBSCRIBE_ID) ? subscribed.get(id.substring(SUBSCRIBE_ID.length())) : null;
      if (level.equals("error") && refused != null && askForNextCompression(refused)) {
        return;
      }
      if (level.equals("error") || level.equals("warning")) {
        listener.onTrouble(
            status.path("id").asText("rosbridge"),
            "rosbridge reports: " + status.path("msg").asText());
      }
    }
  }
}
