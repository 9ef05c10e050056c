package org.cartostream.cli;

import java.util.Map;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.register.RegisterSettings;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ros.RosSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.log.CarmenSettings;
import org.cartostream.topology.ServiceSettings;
import org.cartostream.topology.TopologySettings;

/**
 * The whole configuration: one record per room, under the room's name, and those for the register,
 * for ROS and for CARMEN's logs.
 */
public record RootSettings(
    FilterSettings slam,
    BrokerSettings broker,
    GatewaySettings gateway,
    TopologySettings topology,
    RegisterSettings register,
    RosSettings ros,
    CarmenSettings carmen) {

  /** What of it the service has to be told, with a broker that is settled by now. */
  ServiceSettings service(BrokerSettings reached) {
    return new ServiceSettings(slam, reached, topology, register);
  }

  /** Every key and value as they may be shown: without the broker's user and password. */
  Map<String, String> shown() {
    return Settings.values(
        new RootSettings(slam, broker.masked(), gateway, topology, register, ros, carmen));
  }
}
