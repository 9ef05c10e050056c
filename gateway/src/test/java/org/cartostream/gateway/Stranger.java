package org.cartostream.gateway;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import org.cartostream.broker.BrokerNames;

/** Somebody else at the broker. */
final class Stranger {

  private Stranger() {}

  /** Puts bytes where a robot takes its outcomes from. */
  static void answers(String broker, String robot, byte[] bytes) {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(broker);
      try (Connection stranger = factory.newConnection()) {
        stranger
            .createChannel()
            .basicPublish(
                BrokerNames.ANSWERS, BrokerNames.Answer.OUTCOME.keyTo(robot), null, bytes);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
