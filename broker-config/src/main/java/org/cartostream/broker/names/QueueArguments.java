package org.cartostream.broker.names;

import java.util.HashMap;
import java.util.Map;

/**
 * Kind of broker, with its arguments that bound a queue. RabbitMQ ignores Qpid's arguments, and
 * Qpid closes the connection on RabbitMQ's.
 */
public enum QueueArguments {
  RABBITMQ {
    @Override
    public Map<String, Object> bounded(int length, Overflow overflow) {
      String behaviour = overflow == Overflow.REFUSE_NEW ? "reject-publish" : "drop-head";
      return Map.of("x-max-length", length, "x-overflow", behaviour);
    }

    @Override
    public boolean haveRobotsQueues() {
      return true;
    }

    @Override
    public Map<String, Object> ofObserver() {
      Map<String, Object> all =
          new HashMap<>(bounded(BrokerNames.OBSERVER_QUEUE_LENGTH, Overflow.DROP_OLDEST));
      all.put("x-max-length-bytes", BrokerNames.QUEUE_BYTES);
      return all;
    }
  },
  QPID {
    @Override
    public Map<String, Object> bounded(int length, Overflow overflow) {
      String policy = overflow == Overflow.REFUSE_NEW ? "reject" : "ring";
      return Map.of("qpid.max_count", length, "qpid.policy_type", policy);
    }

    @Override
    public boolean haveRobotsQueues() {
      return false;
    }

    @Override
    public Map<String, Object> ofObserver() {
      return bounded(BrokerNames.OBSERVER_QUEUE_LENGTH, Overflow.DROP_OLDEST);
    }
  };

  /** Behaviour of a full queue. */
  public enum Overflow {
    /** Refuses a new message: the publisher is told, and keeps the message. */
    REFUSE_NEW,
    /** Drops the oldest message. */
    DROP_OLDEST
  }

  /** Returns the arguments of a queue of at most {@code length} messages. */
  public abstract Map<String, Object> bounded(int length, Overflow overflow);

  /**
   * Returns true if each robot's readings have a queue of their own. The embedded broker needs
   * none, as it serves no robots of strangers.
   */
  public abstract boolean haveRobotsQueues();

  /**
   * Returns the arguments of an observer's queue, which bound its bytes, too, where the broker can.
   */
  public abstract Map<String, Object> ofObserver();

  /**
   * Returns the arguments for a broker, by the properties that it sends when a connection begins.
   */
  public static QueueArguments of(Map<String, Object> serverProperties) {
    return "RabbitMQ".equals(String.valueOf(serverProperties.get("product"))) ? RABBITMQ : QPID;
  }
}
