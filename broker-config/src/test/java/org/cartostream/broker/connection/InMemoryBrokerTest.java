package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.Examples;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class InMemoryBrokerTest extends BrokerContract implements RestartContract {

  private final InMemoryBroker broker = new InMemoryBroker();

  @Override
  BrokerSettings settings() {
    return InMemoryBroker.settings();
  }

  @Override
  BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener) {
    return broker.open(settings, party, listener);
  }

  @Override
  public BrokerConnection connect(String party, BrokerListener listener) {
    return broker.open(party, listener);
  }

  @Override
  void publish(String exchange, String routingKey, byte[] frame) {
    broker.publish(exchange, routingKey, frame);
  }

  @Override
  Line line(String party) {
    return new Line() {
      @Override
      public BrokerConnection open(BrokerSettings settings, BrokerListener listener) {
        return broker.open(settings, party, listener);
      }

      @Override
      public void takeDown() {
        broker.takeDown(party);
      }

      @Override
      public void mend() {
        broker.mend(party);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void stopBroker() {
    broker.stop();
  }

  @Override
  public void startBroker() {
    broker.start();
  }

  @Override
  public String address() {
    return InMemoryBroker.address();
  }

  @Test
  void refusesConnectionsWhileItIsStopped() {
    broker.stop();
    assertThatThrownBy(() -> open("late"))
        .isInstanceOf(BrokerException.class)
        .hasMessageStartingWith("no broker answers at in-memory:5672");
    broker.start();
    open("later").close();
  }

  @Test
  void keepsTheReadingsOfAFullQueueWithTheirSender() throws Exception {
    String queue = BrokerNames.serviceQueue("service");
    int more = 5;
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      LongStream.rangeClosed(1, BrokerNames.SERVICE_QUEUE_LENGTH)
          .forEach(i -> broker.publish(BrokerNames.READINGS, "service.other", new byte[0]));
      LongStream.rangeClosed(1, more).forEach(i -> gateway.publish(Examples.reading(robot, i)));
      assertThat(broker.ready(queue)).isEqualTo(BrokerNames.SERVICE_QUEUE_LENGTH);
      assertThat(gateway.unconfirmed()).isEqualTo(more);
      Examples.Collector service = new Examples.Collector(true);
      topology.subscribeToReadings(100, service);
      assertThat(gateway.flush(Examples.SOON)).isTrue();
      Examples.soon().until(() -> service.sequences.size() == more);
      assertThat(service.sequences).containsExactly(1L, 2L, 3L, 4L, 5L);
    }
  }
}
