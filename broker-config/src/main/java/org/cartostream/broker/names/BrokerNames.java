package org.cartostream.broker.names;

import java.util.UUID;
import org.cartostream.broker.RobotId;
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
 * resources has the same for RabbitMQ.
 *
 * <p>Robots publish to {@link #READINGS} with {@code service.robot} as the routing key. Their
 * readings wait in a queue for each robot ({@link #newRobotQueue}), which the service makes when it
 * hears of a robot first; what has no such queue goes on to {@link #NEW_ROBOTS}, and waits in the
 * {@link #serviceQueue}. The service publishes to {@link #ANSWERS} with {@code robot.kind}. Each
 * gateway has two queues there: one for what must arrive, and a short one for what a newer message
 * replaces. By a policy in {@code definitions.json}, and not by their arguments, which could not
 * change any more, RabbitMQ deletes them when no gateway has taken from them for a day. At a
 * cluster's broker they come and go with the robot's account ({@link BrokerUsers}).
 */
public final class BrokerNames {

  /** Topic exchange from robots to the service; the routing key is {@code service.robot}. */
  public static final String READINGS = "cartostream.robots";

  /**
   * Topic exchange of what {@link #READINGS} routes nowhere: its alternate exchange. A service
   * alone may publish here.
   */
  public static final String NEW_ROBOTS = "cartostream.readings";

  /** Topic exchange from the service to robots; the routing key is {@code robot.kind}. */
  public static final String ANSWERS = "cartostream.answers";

  /** Binds an observer's queue to all answers of all services. */
  public static final String EVERY_ANSWER = "#";

  /**
   * Routing pattern for the signs of life of services' processes alone. They have no {@link
   * Answer}: no robot gets them.
   */
  public static final String EVERY_WORKER = "*.worker";

  /** Ends the routing key of a robot's whole map, for observers alone. It has no {@link Answer}. */
  private static final String FOR_OBSERVERS = ".wholemap";

  /**
   * Most messages in a {@link #serviceQueue} or a robot's; when it is full, publishing is refused
   * and tried again. With two unanswered readings a robot, 5,000 robots fit.
   */
  public static final int SERVICE_QUEUE_LENGTH = 10_000;

  /**
   * Most bytes in a {@link #serviceQueue}, by a policy, and in a robot's: then, too, publishing is
   * tried again.
   */
  public static final int READINGS_BYTES = 16 << 20;

  /**
   * Most bytes in a queue of answers, which RabbitMQ's policy in {@code definitions.json} bounds:
   * two of the largest messages by default.
   */
  public static final long QUEUE_BYTES = 128 << 20;

  /** Most messages in a gateway's queue of what must arrive; the credit keeps it far below. */
  public static final int CERTAIN_QUEUE_LENGTH = 10_000;

  /**
   * Most poses, messages with particles and pieces of maps waiting for a gateway, of which the
   * largest map has 1025 ({@code broker.maxMessageBytes}); when it is full the oldest is dropped.
   */
  public static final int LATEST_QUEUE_LENGTH = 1_040;

  /**
   * Bound on an observer's queue, of all robots, in messages: {@link #QUEUE_BYTES} bound it, too.
   */
  public static final int OBSERVER_QUEUE_LENGTH = 4 * LATEST_QUEUE_LENGTH;

  private BrokerNames() {}

  /** The kinds of answers: the last word of an answer's routing key. */
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

    /** True if it must arrive, false if a newer one replaces it. */
    public boolean certain() {
      return certain;
    }

    /** The last word of the routing key: {@code outcome}. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The routing key to one robot: {@code robot.outcome}. */
    public String keyTo(String robot) {
      return RobotId.check(robot) + "." + word();
    }
  }

  /**
   * The way of a message.
   *
   * @param exchange by name
   * @param routingKey as AMQP means it
   * @param certain true if it must arrive, false if a newer one replaces it
   */
  public record Route(String exchange, String routingKey, boolean certain) {

    /** True from the service to a robot. */
    public boolean isAnswer() {
      return exchange.equals(ANSWERS);
    }
  }

  /** The queue of the readings for a service of robots that have no queue of their own. */
  public static String serviceQueue(String service) {
    return NEW_ROBOTS + "." + service;
  }

  /** A name for the queue of one robot's readings for a service; nobody else can guess it. */
  public static String newRobotQueue(String service, String robot) {
    return serviceQueue(service) + "." + RobotId.check(robot) + "." + UUID.randomUUID();
  }

  /** The robot whose readings are in a queue that has such a name. */
  public static String robotOfQueue(String queue) {
    String its = queue.substring(0, queue.lastIndexOf('.'));
    return RobotId.check(its.substring(its.lastIndexOf('.') + 1));
  }

  /**
   * The queue in which a service keeps the names of its robots' queues, for the next one that has
   * its name; also the routing key from {@link #NEW_ROBOTS} to it, which has more words than a
   * robot's may have.
   */
  public static String queueNames(String service) {
    return NEW_ROBOTS + ".queues.of." + service;
  }

  /** Binds {@link #serviceQueue}: whatever robot. */
  public static String everyRobotOf(String service) {
    return service + ".*";
  }

  /** The routing key of a robot's readings. */
  public static String keyOfReadings(String service, String robot) {
    return service + "." + robot;
  }

  /** A gateway's queue of answers that must arrive. */
  public static String certainQueue(String robot) {
    return ANSWERS + "." + RobotId.check(robot) + ".certain";
  }

  /** A gateway's queue of poses, particles and maps, of which the newest count. */
  public static String latestQueue(String robot) {
    return ANSWERS + "." + RobotId.check(robot) + ".latest";
  }

  /** The queue of an observer, in which all robots' answers are. */
  public static String observerQueue(String observer) {
    return "cartostream.observer." + RobotId.check(observer);
  }

  /**
   * A new name for the queue of an observer without an account of its own, which goes with the
   * connection. The broker would choose one that the service's account has no right to.
   */
  public static String passingObserverQueue() {
    return "cartostream.observing." + UUID.randomUUID();
  }

  /**
   * The way of an envelope.
   *
   * @param service for which it is, if it is a robot's
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

  /** The robot that a message's routing key names. */
  public static String robotOf(String exchange, String routingKey) {
    int dot = routingKey.indexOf('.');
    return exchange.equals(ANSWERS)
        ? routingKey.substring(0, Math.max(0, dot))
        : routingKey.substring(dot + 1);
  }

  private static Answer answer(Message body) {
    if (body instanceof OutcomeMessage || body instanceof ResendRequestMessage) {
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
