package org.cartostream.gateway.replay;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/** A real RabbitMQ goes away and comes back. */
@Nightly
class LogGatewayRestartIT extends LogGatewayRestartContract {

  private LocalRabbitMq node;

  @BeforeEach
  void startNode() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node = LocalRabbitMq.started();
  }

  @AfterEach
  void stopNode() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Override
  BrokerConnection open(String party, BrokerListener listener) {
    return BrokerConnection.open(BrokerSettings.defaults().withUri(node.uri()), party, listener);
  }

  @Override
  void stopBroker() throws Exception {
    node.stop();
  }

  @Override
  void startBroker() throws Exception {
    node.start();
  }

  @Override
  String host() {
    return "127.0.0.1";
  }

  @Override
  LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  void letTimePass(CompletableFuture<Void> over) {}
}
