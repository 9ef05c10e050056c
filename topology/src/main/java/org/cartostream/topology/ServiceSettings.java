package org.cartostream.topology;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.register.RegisterSettings;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Team;

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

  /** So many tasks, as the filter knows them. */
  Team team(int tasks) {
    return new Team(tasks, topology.rebuildKeyFrames());
  }
}
