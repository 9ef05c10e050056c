package org.cartostream.gateway.replay;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.cartostream.broker.connection.AmqpConnections;
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
  private static Connection stranger;

  @BeforeAll
  static void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node = LocalRabbitMq.started();
    broker = new ServerBroker(node.uri());
    stranger = AmqpConnections.factory(broker.settings()).newConnection();
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      stranger.abort();
      broker.close();
      node.close();
    }
  }

  @Override
  TestBroker broker() {
    return broker;
  }

  /** Once the service has taken readings there are queues of robots, too. */
  @Override
  int readyReadings(String service) {
    try (Channel channel = stranger.createChannel()) {
      return (int) AmqpConnections.waitingReadings(channel, service);
    } catch (AlreadyClosedException | IOException | TimeoutException e) { // By its 404.
      return super.readyReadings(service);
    }
  }

  @Override
  long slowMillis() {
    return 5;
  }
}
