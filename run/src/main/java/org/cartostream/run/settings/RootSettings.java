package org.cartostream.run.settings;

import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;

/**
 * The whole configuration: one record per room, under the room's name, and those for the register,
 * for ROS and for CARMEN's logs.
 */
public record RootSettings(
    FilterSettings slam,
    BrokerSettings broker,
    GatewaySettings gateway,
    TopologySettings topology,
    RegistrySettings register,
    RosSettings ros,
    CarmenSettings carmen) {

  /** What of it the service has to be told, with a broker that is settled by now. */
  public ServiceSettings service(BrokerSettings reached) {
    return new ServiceSettings(slam, reached, topology, register);
  }

  /** Every key and value as they may be shown: without the broker's user and password. */
  public Map<String, String> shown() {
    return Settings.values(
        new RootSettings(slam, broker.masked(), gateway, topology, register, ros, carmen));
  }
}
