package org.cartostream.topology;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.register.RegisterSettings;
import org.cartostream.slam.filter.FilterSettings;

/** All that the service has to be told; it travels to the workers with the topology. */
public record ServiceSettings(
    FilterSettings filter,
    BrokerSettings broker,
    TopologySettings topology,
    RegisterSettings register) {

  /** With a register in the ZooKeeper that Storm uses. */
  public ServiceSettings(FilterSettings filter, BrokerSettings broker, TopologySettings topology) {
    this(filter, broker, topology, RegisterSettings.defaults());
  }
}
