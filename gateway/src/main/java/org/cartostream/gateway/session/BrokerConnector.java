package org.cartostream.gateway.session;

import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;

/** Factory of a session's connection to the broker. */
@FunctionalInterface
public interface BrokerConnector {

  /**
   * @param listener learns of outages
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used
   */
  BrokerConnection open(BrokerListener listener);
}
