package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.local.CuttableProxy;
import org.cartostream.settings.Settings;
import org.junit.jupiter.api.Test;

/** What holds on every broker that is a server, with an address and users. */
abstract class ServerContract extends BrokerContract {

  /** The running broker's address with user and password. */
  abstract String uri();

  @Override
  BrokerSettings settings() {
    // With a queue of its own: what one test leaves, another does not receive.
    return Settings.with(BrokerSettings.defaults().withUri(uri()), Map.of("service", robot));
  }

  @Override
  BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener) {
    return BrokerConnection.open(settings, party, listener);
  }

  /** A connection that is not ours. */
  Connection stranger() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri());
    return factory.newConnection();
  }

  @Override
  void publish(String exchange, String routingKey, byte[] frame) throws Exception {
    try (Connection stranger = stranger()) {
      stranger.createChannel().basicPublish(exchange, routingKey, null, frame);
    }
  }

  @Override
  Line line(String party) throws IOException {
    int port = URI.create(uri()).getPort();
    CuttableProxy wire = new CuttableProxy(port);
    return new Line() {
      @Override
      public BrokerConnection open(BrokerSettings settings, BrokerListener listener) {
        String through = settings.uri().replace(":" + port, ":" + wire.port());
        return BrokerConnection.open(settings.withUri(through), party, listener);
      }

      @Override
      public void takeDown() {
        wire.takeDown();
      }

      @Override
      public void mend() {
        wire.mend();
      }

      @Override
      public void close() throws IOException {
        wire.close();
      }
    };
  }

  @Test
  void saysThatTheCredentialsAreWrongWithoutShowingThem() {
    String wrong = uri().replaceFirst("//[^@]*@", "//guest:sesame-open@");
    assertThatThrownBy(() -> openAt(wrong))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("127.0.0.1:")
        .hasMessageContaining("refuses the user name or the password")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void saysThatTheVhostIsWrong() {
    assertThatThrownBy(() -> openAt(uri() + "/atlantis"))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("no vhost 'atlantis'");
  }

  @Test
  void saysThatTlsFailed() {
    assertThatThrownBy(() -> openAt(uri().replace("amqp://", "amqps://")))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("TLS")
        .hasMessageNotContaining("guest:");
  }

  private static void openAt(String uri) {
    BrokerConnection.open(BrokerSettings.defaults().withUri(uri), "gateway", BrokerListener.NONE)
        .close();
  }
}
