package org.cartostream.topology.settings;

import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/** The service's settings; they travel to the workers with the topology. */
public record ServiceSettings(
    FilterSettings filter,
    LocalisationSettings localisation,
    BrokerSettings broker,
    TopologySettings topology,
    RegistrySettings registry,
    CheckpointSettings checkpoint) {

  /**
   * With a registry in the ZooKeeper that Storm uses, checkpoints nowhere, and localisation's
   * defaults.
   */
  public ServiceSettings(FilterSettings filter, BrokerSettings broker, TopologySettings topology) {
    this(
        filter,
        Settings.defaults(LocalisationSettings.class),
        broker,
        topology,
        RegistrySettings.defaults(),
        Settings.defaults(CheckpointSettings.class));
  }

  /** So many tasks, as the filter takes them. */
  public TaskLayout team(int tasks) {
    return new TaskLayout(tasks, topology.rebuildKeyFrames());
  }
}
