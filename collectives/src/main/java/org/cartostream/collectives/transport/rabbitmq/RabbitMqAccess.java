package org.cartostream.collectives.transport.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.security.GeneralSecurityException;

/**
 * The members' access to their broker.
 *
 * @param factories gives a factory for each connection, which the channel may change; it must not
 *     recover connections by itself
 * @param minReconnectMillis pause before the second attempt to connect again; it doubles
 * @param maxReconnectMillis longest pause
 */
public record RabbitMqAccess(Factories factories, int minReconnectMillis, int maxReconnectMillis) {

  /** Makes connection factories. */
  @FunctionalInterface
  public interface Factories {

    /**
     * A new one.
     *
     * @throws GeneralSecurityException if the certificates cannot be used
     */
    ConnectionFactory create() throws GeneralSecurityException;
  }
}
