package org.cartostream.topology.settings;

import java.util.SortedMap;
import java.util.TreeMap;
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

  /** Before the keys of localisation in an identity. */
  private static final String LOCALISATION = "localisation.";

  /**
   * Creates one with a registry in the ZooKeeper that Storm uses, checkpoints nowhere, and
   * localisation's defaults.
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

  /**
   * Returns what must be the same where a run goes on: key to value.
   *
   * @param isLocalised true if the robot is found in a known map
   */
  public TreeMap<String, String> identity(boolean isLocalised) {
    TreeMap<String, String> identity = new TreeMap<>(Settings.values(filter));
    if (isLocalised) {
      identity.putAll(identity(localisation));
    }
    return identity;
  }

  /** The part of it that a localised run has besides. */
  public static TreeMap<String, String> identity(LocalisationSettings localisation) {
    TreeMap<String, String> identity = new TreeMap<>();
    Settings.values(localisation).forEach((key, value) -> identity.put(LOCALISATION + key, value));
    return identity;
  }

  /** True if an identity is that of a run whose robot is found in a known map. */
  public static boolean isOfLocalised(SortedMap<String, String> identity) {
    return identity.keySet().stream().anyMatch(key -> key.startsWith(LOCALISATION));
  }

  /** Returns the layout of so many tasks, as the filter takes them. */
  public TaskLayout team(int tasks) {
    return new TaskLayout(tasks, topology.rebuildKeyFrames());
  }
}
