package org.cartostream.collectives.transport.rabbitmq;

import java.io.IOException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.collectives.ChannelContract;
import org.cartostream.collectives.Group;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Members that meet at a broker, by RabbitMQ's protocol. */
@Default
class RabbitMqChannelIT extends ChannelContract {

  private static EmbeddedBroker broker;

  @BeforeAll
  static void open() throws IOException {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  protected String transport() {
    return "rabbitmq";
  }

  @Override
  protected Object[] access() {
    return new Object[] {Group.access(BrokerSettings.defaults().withUri(broker.uri()))};
  }

  @Override
  protected int maxSize() {
    return 5;
  }

  @Override
  protected int tries() {
    return 150;
  }
}
