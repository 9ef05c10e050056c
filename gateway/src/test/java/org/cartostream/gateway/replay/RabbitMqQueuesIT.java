package org.cartostream.gateway.replay;

import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.gateway.ServerBroker;
import org.cartostream.gateway.TestBroker;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

@Nightly
class RabbitMqQueuesIT extends QueueContract {

  private static LocalRabbitMq node;
  private static TestBroker broker;

  @BeforeAll
  static void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node = LocalRabbitMq.started();
    broker = new ServerBroker(node.uri());
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      broker.close();
      node.close();
    }
  }

  @Override
  TestBroker broker() {
    return broker;
  }

  @Override
  long slowMillis() {
    return 5;
  }
}
