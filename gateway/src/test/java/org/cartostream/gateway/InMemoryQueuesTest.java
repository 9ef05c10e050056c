package org.cartostream.gateway;

import org.cartostream.broker.InMemoryBroker;

class InMemoryQueuesTest extends QueueContract {

  private final TestBroker broker = TestBroker.of(new InMemoryBroker());

  @Override
  TestBroker broker() {
    return broker;
  }

  @Override
  long slowMillis() {
    return 1;
  }
}
