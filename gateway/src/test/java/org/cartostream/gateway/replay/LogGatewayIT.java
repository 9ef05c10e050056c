package org.cartostream.gateway.replay;

import java.util.function.LongSupplier;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.gateway.ServerBroker;
import org.cartostream.gateway.TestBroker;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A replay over a real broker in this process. */
@Default
class LogGatewayIT extends LogGatewayContract {

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
  LongSupplier clock() {
    return System::nanoTime;
  }
}
