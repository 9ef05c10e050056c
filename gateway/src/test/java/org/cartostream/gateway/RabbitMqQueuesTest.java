package org.cartostream.gateway;

import org.cartostream.broker.local.LocalRabbitMq;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

class RabbitMqQueuesTest extends QueueContract {

  private static LocalRabbitMq node;

  @BeforeAll
  static void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node = LocalRabbitMq.started();
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Override
  String uri() {
    return node.uri();
  }
}
