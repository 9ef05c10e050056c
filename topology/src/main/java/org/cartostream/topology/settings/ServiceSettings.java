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

  /** The same with the default settings of localisation. */
  public ServiceSettings(
      FilterSettings filter,
      BrokerSettings broker,
      TopologySettings topology,
      RegistrySettings registry,
      CheckpointSettings checkpoint) {
    this(
        filter,
        Settings.defaults(LocalisationSettings.class),
        broker,
        topology,
        registry,
        checkpoint);
  }

  /** With a registry in the ZooKeeper that Storm uses, and checkpoints nowhere. */
  public ServiceSettings(FilterSettings filter, BrokerSettings broker, TopologySettings topology) {
    this(
        filter,
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
