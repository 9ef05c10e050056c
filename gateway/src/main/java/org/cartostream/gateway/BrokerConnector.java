package org.cartostream.gateway;

import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerListener;

/** Opens the connection of a session to the broker. */
@FunctionalInterface
public interface BrokerConnector {

  /**
   * @param listener learns of outages
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used
   */
  BrokerConnection open(BrokerListener listener);
}
