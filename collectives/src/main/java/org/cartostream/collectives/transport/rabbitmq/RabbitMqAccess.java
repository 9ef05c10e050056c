package org.cartostream.collectives.transport.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.security.GeneralSecurityException;

/**
 * Access of a group's members to their RabbitMQ broker.
 *
 * @param factories makes a connection factory for each connection; the channel may change the
 *     factory, which must not have automatic recovery
 * @param minReconnectMillis pause before the second attempt to reconnect; later pauses double
 * @param maxReconnectMillis longest pause between attempts to reconnect
 * @param maxMessageBytes largest message that the broker takes, bytes
 */
public record RabbitMqAccess(
    Factories factories, int minReconnectMillis, int maxReconnectMillis, int maxMessageBytes) {

  /** Source of connection factories. */
  @FunctionalInterface
  public interface Factories {

    /**
     * Returns a new connection factory.
     *
     * @throws GeneralSecurityException if the certificates cannot be used
     */
    ConnectionFactory create() throws GeneralSecurityException;
  }
}
