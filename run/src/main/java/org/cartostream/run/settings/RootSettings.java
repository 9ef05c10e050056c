package org.cartostream.run.settings;

import java.nio.file.Path;
import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;

/**
 * The whole configuration: the settings of all modules, each under the first part of its keys, such
 * as {@code slam} in {@code slam.particles}.
 */
public record RootSettings(
    FilterSettings slam,
    LocalisationSettings localisation,
    BrokerSettings broker,
    GatewaySettings gateway,
    TopologySettings topology,
    CheckpointSettings checkpoint,
    RegistrySettings registry,
    RosSettings ros,
    CarmenSettings carmen) {

  /**
   * Returns the service's part of the configuration, with the settings of the broker that is used.
   */
  public ServiceSettings service(BrokerSettings reached) {
    return new ServiceSettings(slam, localisation, reached, topology, registry, checkpoint);
  }

  /**
   * Returns a copy with the service's checkpoints in a folder, unless the settings name another
   * place.
   */
  public RootSettings withCheckpointsIn(Path folder) {
    return withCheckpointsIn(folder.toAbsolutePath().normalize().toString());
  }

  /**
   * Returns a copy with the service's checkpoints in a folder (absolute path) or a bucket, unless
   * the settings name another place.
   */
  public RootSettings withCheckpointsIn(String location) {
    CheckpointSettings there =
        checkpoint.folder().isEmpty()
            ? Settings.with(checkpoint, Map.of("folder", location))
            : checkpoint;
    return new RootSettings(
        slam, localisation, broker, gateway, topology, there, registry, ros, carmen);
  }

  /** Returns a copy for a topology that serves one robot, and ends when that robot is forgotten. */
  public RootSettings endingWithRobot() {
    TopologySettings ending = Settings.with(topology, Map.of("endsWithRobot", "true"));
    return new RootSettings(
        slam, localisation, broker, gateway, ending, checkpoint, registry, ros, carmen);
  }

  /**
   * Returns all values by key, in a form that may be shown: without the broker's user and password.
   */
  public Map<String, String> shown() {
    return Settings.values(
        new RootSettings(
            slam,
            localisation,
            broker.masked(),
            gateway,
            topology,
            checkpoint,
            registry,
            ros,
            carmen));
  }
}
