package org.cartostream.broker.names;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;

/**
 * Users of RabbitMQ and their permissions, as definitions that RabbitMQ imports. Everything is in a
 * virtual host of its own; RabbitMQ's user {@code guest} does not exist there.
 *
 * <p>A robot may publish readings under its own id, to any service, and receive its own answers;
 * its user name is its id. It may declare nothing: its two queues come with its account, and only
 * who has its password knows their names. An observer may receive the answers to all robots from a
 * queue of its own, and publish nothing. Both have few connections at most. The service may do
 * everything with names that begin with {@code cartostream} or {@code collectives}.
 */
public final class BrokerUsers {

  /** Name of the virtual host. */
  public static final String VHOST = "cartostream";

  /** Name of the service's user. */
  public static final String SERVICE = "service";

  /**
   * Maximum number of a robot's connections. A gateway has one connection of three channels, and a
   * second one while it connects again; the broker may not know yet that some earlier ones are
   * gone.
   */
  public static final int ROBOT_CONNECTIONS = 8;

  private static final int ROBOT_CHANNELS = 8 * ROBOT_CONNECTIONS;

  private static final Map<String, Integer> LIMITS =
      Map.of("max-connections", ROBOT_CONNECTIONS, "max-channels", ROBOT_CHANNELS);

  /** Prefix of an observer's user name: it has a dot, which no robot's id has. */
  private static final String OBSERVER = "observer.";

  /**
   * Time after which a message is dropped from an observer's queue, milliseconds: it is of no use
   * any more, and must not fill the broker.
   */
  private static final int OBSERVER_MILLIS = 10_000;

  private static final String OURS = "^(cartostream|collectives).*";
  private static final String NOTHING = "^$";

  /** End of a pattern; {@code $} would match before a line end, too. */
  private static final String END = "\\z";

  private static final int SALT_BYTES = 4;

  /** Number of random bytes in the part of a queue's name that cannot be guessed. */
  private static final int NAME_BYTES = 16;

  private final List<Map<String, Object>> users = new ArrayList<>();
  private final List<Map<String, Object>> permissions = new ArrayList<>();
  private final List<Map<String, Object>> topicPermissions = new ArrayList<>();
  private final List<Map<String, Object>> queues = new ArrayList<>();
  private final List<Map<String, Object>> bindings = new ArrayList<>();

  /** Adds the service's user. */
  public BrokerUsers withService(String password) {
    user(SERVICE, password, Map.of());
    permission(SERVICE, OURS, OURS, OURS);
    return this;
  }

  /**
   * Adds a robot's user and queues.
   *
   * @throws RefusedMessageException if the id is invalid, or the service's user name
   */
  public BrokerUsers withRobot(String robot, String password) {
    if (RobotId.check(robot).equals(SERVICE)) {
      throw BrokerRefusal.BAD_ROBOT_ID.exception("'" + SERVICE + "' is the service's user");
    }
    List<String> queues = queuesOfAccount(robot, password);
    String certain = queues.get(0);
    String latest = queues.get(1);
    user(robot, password, LIMITS);
    permission(
        robot,
        NOTHING,
        "^" + quoted(BrokerNames.READINGS) + END,
        "^(" + quoted(certain, latest) + ")" + END);
    topicPermission(robot, BrokerNames.READINGS, "^[A-Za-z0-9_-]{1,80}\\." + robot + END, NOTHING);
    queue(
        certain,
        QueueArguments.RABBITMQ.bounded(
            BrokerNames.CERTAIN_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW));
    queue(
        latest,
        QueueArguments.RABBITMQ.bounded(
            BrokerNames.LATEST_QUEUE_LENGTH, QueueArguments.Overflow.DROP_OLDEST));
    for (BrokerNames.Answer answer : BrokerNames.Answer.values()) {
      binding(answer.certain() ? certain : latest, answer.keyTo(robot));
    }
    return this;
  }

  /**
   * Adds an observer's user, with its {@link BrokerNames#observerQueue}.
   *
   * @param name name of the observer, which keeps to the rule for robots' ids
   * @throws RefusedMessageException if the name breaks that rule
   */
  public BrokerUsers withObserver(String name, String password) {
    String queue = BrokerNames.observerQueue(name);
    user(observer(name), password, LIMITS);
    permission(observer(name), NOTHING, NOTHING, "^" + quoted(queue) + END);
    queue(queue, observerQueue());
    binding(queue, BrokerNames.EVERY_ANSWER);
    return this;
  }

  /** Returns the user name of an observer. */
  public static String observer(String name) {
    return OBSERVER + RobotId.check(name);
  }

  /** Returns the name of the observer that a user is; empty if the user is none. */
  public static Optional<String> observerOf(String user) {
    return user.startsWith(OBSERVER)
        ? Optional.of(user.substring(OBSERVER.length()))
        : Optional.empty();
  }

  /**
   * Returns the name of a queue that comes with an account. RabbitMQ tells whoever knows a queue's
   * name how long the queue is, so only who has the password can know this name.
   */
  public static String queueOfAccount(String queue, String password) {
    byte[] digest = sha256((queue + ":" + password).getBytes(StandardCharsets.UTF_8));
    return queue + "." + HexFormat.of().formatHex(digest, 0, NAME_BYTES);
  }

  /**
   * Returns the names of a robot's two queues: of answers that must arrive, and of answers that a
   * newer one replaces.
   */
  public static List<String> queuesOfAccount(String robot, String password) {
    return Stream.of(BrokerNames.certainQueue(robot), BrokerNames.latestQueue(robot))
        .map(each -> queueOfAccount(each, password))
        .toList();
  }

  private static Map<String, Object> observerQueue() {
    Map<String, Object> all = new HashMap<>(QueueArguments.RABBITMQ.ofObserver());
    all.put("x-message-ttl", OBSERVER_MILLIS);
    return all;
  }

  private void user(String name, String password, Map<String, Integer> limits) {
    users.add(
        Map.of(
            "name",
            name,
            "password_hash",
            hash(password),
            "hashing_algorithm",
            "rabbit_password_hashing_sha256",
            "tags",
            "",
            "limits",
            limits));
  }

  private void permission(String user, String configure, String write, String read) {
    permissions.add(
        Map.of("user", user, "vhost", VHOST, "configure", configure, "write", write, "read", read));
  }

  private void queue(String name, Map<String, Object> arguments) {
    queues.add(
        Map.of(
            "name", name,
            "vhost", VHOST,
            "durable", true,
            "auto_delete", false,
            "arguments", arguments));
  }

  private void binding(String queue, String key) {
    bindings.add(
        Map.of(
            "source",
            BrokerNames.ANSWERS,
            "vhost",
            VHOST,
            "destination",
            queue,
            "destination_type",
            "queue",
            "routing_key",
            key,
            "arguments",
            Map.of()));
  }

  private void topicPermission(String user, String exchange, String write, String read) {
    topicPermissions.add(
        Map.of("user", user, "vhost", VHOST, "exchange", exchange, "write", write, "read", read));
  }

  /**
   * Returns a regular expression that matches the names as they are; Erlang's expressions have no
   * {@code \Q}.
   */
  private static String quoted(String... names) {
    return String.join("|", names).replace(".", "\\.");
  }

  /** Returns the hash that RabbitMQ stores: base64 of a salt and SHA-256 of salt and password. */
  private static String hash(String password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    byte[] hashed = sha256(salt, password.getBytes(StandardCharsets.UTF_8));
    byte[] both = Arrays.copyOf(salt, SALT_BYTES + hashed.length);
    System.arraycopy(hashed, 0, both, SALT_BYTES, hashed.length);
    return Base64.getEncoder().encodeToString(both);
  }

  private static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Returns the definitions as JSON: vhost, users and permissions, the queues of robots and
   * observers, and the exchanges and the queue that are the same everywhere, see {@link
   * BrokerNames}. Queues do not expire, as a robot may not declare its own again.
   */
  public String definitions() {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    try (InputStream in = BrokerUsers.class.getResourceAsStream("definitions.json")) {
      ObjectNode all = (ObjectNode) mapper.readTree(in);
      all.set("vhosts", mapper.valueToTree(List.of(Map.of("name", VHOST))));
      for (String kind : List.of("exchanges", "queues", "bindings", "policies")) {
        all.get(kind).forEach(each -> ((ObjectNode) each).put("vhost", VHOST));
      }
      queues.forEach(each -> ((ArrayNode) all.get("queues")).add(mapper.valueToTree(each)));
      bindings.forEach(each -> ((ArrayNode) all.get("bindings")).add(mapper.valueToTree(each)));
      all.get("policies").forEach(each -> ((ObjectNode) each.get("definition")).remove("expires"));
      all.set("users", mapper.valueToTree(users));
      all.set("permissions", mapper.valueToTree(permissions));
      all.set("topic_permissions", mapper.valueToTree(topicPermissions));
      return mapper.writeValueAsString(all);
    } catch (IOException e) {
      throw new UncheckedIOException("definitions.json in this jar is no JSON", e);
    }
  }
}
