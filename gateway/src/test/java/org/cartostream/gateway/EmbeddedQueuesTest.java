package org.cartostream.gateway;

import org.cartostream.broker.EmbeddedBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EmbeddedQueuesTest extends QueueContract {

  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Override
  String uri() {
    return broker.uri();
  }
}
