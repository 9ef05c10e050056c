package org.cartostream.gateway;

import org.cartostream.broker.EmbeddedBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EmbeddedQueuesIT extends QueueContract {

  private static EmbeddedBroker embedded;
  private static TestBroker broker;

  @BeforeAll
  static void start() {
    embedded = EmbeddedBroker.start();
    broker = new ServerBroker(embedded.uri());
  }

  @AfterAll
  static void stop() {
    broker.close();
    embedded.close();
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
