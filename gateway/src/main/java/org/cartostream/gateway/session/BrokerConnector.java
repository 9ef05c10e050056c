package org.cartostream.gateway.session;

import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;

/** Factory of a session's connection to the broker. */
@FunctionalInterface
public interface BrokerConnector {

  /**
   * @param listener receives outages of the broker
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used
   */
  BrokerConnection open(BrokerListener listener);
}
