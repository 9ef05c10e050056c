package org.cartostream.gateway.replay;

import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.gateway.TestBroker;
import org.cartostream.testing.Quick;

@Quick
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
