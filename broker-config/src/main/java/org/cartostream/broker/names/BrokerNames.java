package org.cartostream.broker.names;

import java.util.UUID;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.broker.message.WorkerMessage;

/**
 * Names of exchanges, queues and routing keys. {@code definitions.json} among this package's
 * resources declares the same for RabbitMQ.
 *
 * <p>Robots publish to {@link #READINGS} with {@code service.robot} as the routing key. Their
 * readings wait in a queue for each robot ({@link #newRobotQueue}), which the service makes when it
 * first hears of the robot; readings of a robot without a queue go on to {@link #NEW_ROBOTS}, and
 * wait in the {@link #serviceQueue}. The service publishes to {@link #ANSWERS} with {@code
 * robot.kind}. Each gateway has two queues there: one for answers that must arrive, and a short one
 * for answers that a newer one replaces. RabbitMQ deletes them when no gateway has taken from them
 * for a day, by a policy in {@code definitions.json}: a queue's arguments, which could say the
 * same, cannot be changed later. At a cluster's broker they come and go with the robot's account
 * ({@link BrokerUsers}).
 */
public final class BrokerNames {

  /** Topic exchange from robots to the service; the routing key is {@code service.robot}. */
  public static final String READINGS = "cartostream.robots";

  /**
   * Topic exchange of readings that {@link #READINGS} routes nowhere, as its alternate exchange.
   * Only a service may publish here.
   */
  public static final String NEW_ROBOTS = "cartostream.readings";

  /** Topic exchange from the service to robots; the routing key is {@code robot.kind}. */
  public static final String ANSWERS = "cartostream.answers";

  /** Routing pattern of all answers of all services, for an observer's queue. */
  public static final String EVERY_ANSWER = "#";

  /**
   * Routing pattern of the heartbeats of services' processes. They have no {@link Answer}, as no
   * robot gets them.
   */
  public static final String EVERY_WORKER = "*.worker";

  /**
   * End of the routing key of a robot's whole map for observers. It has no {@link Answer}, as no
   * robot gets it.
   */
  private static final String FOR_OBSERVERS = ".wholemap";

  /**
   * Maximum number of messages in a {@link #serviceQueue} or a robot's queue of readings; when it
   * is full, publishing is refused and tried again. With two unanswered readings a robot, 5,000
   * robots fit.
   */
  public static final int SERVICE_QUEUE_LENGTH = 10_000;

  /**
   * Maximum size of a robot's queue of readings and, by a policy, of a {@link #serviceQueue},
   * bytes; when it is full, publishing is refused and tried again.
   */
  public static final int READINGS_BYTES = 16 << 20;

  /**
   * Maximum size of a queue of answers, bytes, by RabbitMQ's policy in {@code definitions.json}:
   * two of the largest messages by default.
   */
  public static final long QUEUE_BYTES = 128 << 20;

  /**
   * Maximum number of messages in a gateway's queue of answers that must arrive; far fewer wait, as
   * a gateway leaves few readings unanswered.
   */
  public static final int CERTAIN_QUEUE_LENGTH = 10_000;

  /**
   * Maximum number of poses, messages with particles and pieces of maps that wait for a gateway;
   * the largest map has 1025 pieces ({@code broker.maxMessageBytes}). When the queue is full the
   * oldest message is dropped.
   */
  public static final int LATEST_QUEUE_LENGTH = 1_040;

  /**
   * Maximum number of messages in an observer's queue, for all robots; {@link #QUEUE_BYTES} bound
   * it, too.
   */
  public static final int OBSERVER_QUEUE_LENGTH = 4 * LATEST_QUEUE_LENGTH;

  private BrokerNames() {}

  /** Kind of answers: the last word of an answer's routing key. */
  public enum Answer {
    OUTCOME(true),
    POSE(false),
    PARTICLES(false),
    LOOPS(true),
    MAP(false),
    LASTMAP(true),
    TRAJECTORY(true),
    FINISHED(true);

    private final boolean certain;

    Answer(boolean certain) {
      this.certain = certain;
    }

    /** Returns true if the answer must arrive, false if a newer one replaces it. */
    public boolean certain() {
      return certain;
    }

    /** Returns the last word of the routing key: {@code outcome}. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns the routing key to one robot: {@code robot.outcome}. */
    public String keyTo(String robot) {
      return RobotId.check(robot) + "." + word();
    }
  }

  /**
   * Route of a message.
   *
   * @param exchange name of the exchange
   * @param routingKey routing key of AMQP
   * @param certain true if the message must arrive, false if a newer one replaces it
   */
  public record Route(String exchange, String routingKey, boolean certain) {

    /** Returns true if the message goes from the service to a robot. */
    public boolean isAnswer() {
      return exchange.equals(ANSWERS);
    }
  }

  /** Returns the name of a service's own queue, for readings of robots that have no queue yet. */
  public static String serviceQueue(String service) {
    return NEW_ROBOTS + "." + service;
  }

  /**
   * Returns a new name for the queue of one robot's readings for a service; nobody can guess it.
   */
  public static String newRobotQueue(String service, String robot) {
    return serviceQueue(service) + "." + RobotId.check(robot) + "." + UUID.randomUUID();
  }

  /** Returns the robot whose readings are in a queue, by a name as of {@link #newRobotQueue}. */
  public static String robotOfQueue(String queue) {
    String its = queue.substring(0, queue.lastIndexOf('.'));
    return RobotId.check(its.substring(its.lastIndexOf('.') + 1));
  }

  /**
   * Returns the name of the queue in which a service keeps the names of its robots' queues, for its
   * next process. The same name is the routing key from {@link #NEW_ROBOTS} to that queue; it has
   * more words than a robot's routing key may have.
   */
  public static String queueNames(String service) {
    return NEW_ROBOTS + ".queues.of." + service;
  }

  /** Returns the routing pattern of the {@link #serviceQueue}: readings of any robot. */
  public static String everyRobotOf(String service) {
    return service + ".*";
  }

  /** Returns the routing key of a robot's readings. */
  public static String keyOfReadings(String service, String robot) {
    return service + "." + robot;
  }

  /** Returns the name of a gateway's queue of answers that must arrive. */
  public static String certainQueue(String robot) {
    return ANSWERS + "." + RobotId.check(robot) + ".certain";
  }

  /**
   * Returns the name of a gateway's queue of poses, particles and maps, of which the newest count.
   */
  public static String latestQueue(String robot) {
    return ANSWERS + "." + RobotId.check(robot) + ".latest";
  }

  /** Returns the name of the queue of an observer, in which all robots' answers are. */
  public static String observerQueue(String observer) {
    return "cartostream.observer." + RobotId.check(observer);
  }

  /**
   * Returns a new name for the queue of an observer without an account of its own; the queue ends
   * with the connection. A name that the broker chooses would be one that the service's account has
   * no right to.
   */
  public static String passingObserverQueue() {
    return "cartostream.observing." + UUID.randomUUID();
  }

  /**
   * Returns the route of an envelope.
   *
   * @param service service for which a robot's message is
   */
  public static Route route(Envelope envelope, String service) {
    Message body = envelope.body();
    if (body instanceof ReadingMessage
        || body instanceof EndMessage
        || body instanceof UnavailableMessage) {
      return new Route(READINGS, keyOfReadings(service, envelope.robot()), true);
    }
    if (body instanceof WorkerMessage) {
      return new Route(ANSWERS, EVERY_WORKER.replace("*", envelope.robot()), false);
    }
    if (body instanceof MapMessage.ForObservers) {
      return new Route(ANSWERS, RobotId.check(envelope.robot()) + FOR_OBSERVERS, false);
    }
    Answer answer = answer(body);
    return new Route(ANSWERS, answer.keyTo(envelope.robot()), answer.certain());
  }

  /** Returns the robot that a message's routing key names. */
  public static String robotOf(String exchange, String routingKey) {
    int dot = routingKey.indexOf('.');
    return exchange.equals(ANSWERS)
        ? routingKey.substring(0, Math.max(0, dot))
        : routingKey.substring(dot + 1);
  }

  private static Answer answer(Message body) {
    if (body instanceof OutcomeMessage
        || body instanceof ResendRequestMessage
        || body instanceof DroppedMessage) {
      return Answer.OUTCOME;
    }
    if (body instanceof PoseMessage) {
      return Answer.POSE;
    }
    if (body instanceof ParticlesMessage) {
      return Answer.PARTICLES;
    }
    if (body instanceof LoopsMessage) {
      return Answer.LOOPS;
    }
    if (body instanceof MapMessage map) {
      return map.last() ? Answer.LASTMAP : Answer.MAP;
    }
    if (body instanceof TrajectoryMessage) {
      return Answer.TRAJECTORY;
    }
    if (body instanceof FinishedMessage) {
      return Answer.FINISHED;
    }
    throw new IllegalArgumentException(body + " is no answer");
  }
}
