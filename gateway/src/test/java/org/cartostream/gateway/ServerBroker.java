package org.cartostream.gateway;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.local.CuttableProxy;

/**
 * A broker that is a server, as tests use it. Each party connects through a wire of its own. Owns
 * these wires and a connection that counts messages, not the server.
 */
public final class ServerBroker implements TestBroker {

  private final String uri;
  private final int port;
  private final Map<String, CuttableProxy> wires = new ConcurrentHashMap<>();

  /** Who counts messages; null until the first count. */
  private Connection stranger;

  private Channel looking;

  /**
   * @param uri the running broker's address with user and password
   */
  public ServerBroker(String uri) {
    this.uri = uri;
    this.port = URI.create(uri).getPort();
  }

  @Override
  public BrokerSettings settings() {
    return BrokerSettings.defaults().withUri(uri);
  }

  @Override
  public BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener) {
    String through = uri.replace(":" + port, ":" + wire(party).port());
    return BrokerConnection.open(settings.withUri(through), party, listener);
  }

  private CuttableProxy wire(String party) {
    return wires.computeIfAbsent(
        party,
        absent -> {
          try {
            return new CuttableProxy(port);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public void cut(String party) {
    wire(party).cut();
  }

  @Override
  public void takeDown(String party) {
    wire(party).takeDown();
  }

  @Override
  public void mend(String party) {
    wire(party).mend();
  }

  @Override
  public synchronized int ready(String queue) {
    try {
      if (looking == null) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        stranger = factory.newConnection();
        looking = stranger.createChannel();
      }
      return looking.queueDeclarePassive(queue).getMessageCount();
    } catch (Exception e) {
      throw new IllegalStateException("no count of " + queue, e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (stranger != null) {
        stranger.close();
      }
      for (CuttableProxy wire : wires.values()) {
        wire.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
