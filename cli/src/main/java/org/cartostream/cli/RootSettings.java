package org.cartostream.cli;

import java.util.Map;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ros.RosSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.topology.TopologySettings;

/** The whole configuration: one record per room, under the room's name, and one for ROS. */
public record RootSettings(
    FilterSettings slam,
    BrokerSettings broker,
    GatewaySettings gateway,
    TopologySettings topology,
    RosSettings ros) {

  /** Every key and value as they may be shown: without the broker's user and password. */
  Map<String, String> shown() {
    return Settings.values(new RootSettings(slam, broker.masked(), gateway, topology, ros));
  }
}
