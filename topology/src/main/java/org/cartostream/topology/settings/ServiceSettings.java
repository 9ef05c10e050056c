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

/** All settings of the service, which reach the workers with the topology. */
public record ServiceSettings(
    FilterSettings filter,
    LocalisationSettings localisation,
    BrokerSettings broker,
    TopologySettings topology,
    RegistrySettings registry,
    CheckpointSettings checkpoint) {

  /** Prefix of the keys of localisation in an identity. */
  private static final String LOCALISATION = "localisation.";

  /**
   * Makes settings with the registry in Storm's own ZooKeeper, without checkpoints, and with the
   * defaults of localisation.
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
   * Returns the identity of a run: the settings, by key, that must be equal wherever the run goes
   * on.
   *
   * @param isLocalised true if the robot is localised in a known map
   */
  public TreeMap<String, String> identity(boolean isLocalised) {
    TreeMap<String, String> identity = new TreeMap<>(Settings.values(filter));
    if (isLocalised) {
      identity.putAll(identity(localisation));
    }
    return identity;
  }

  /** Returns the additional keys in the identity of a localised run. */
  public static TreeMap<String, String> identity(LocalisationSettings localisation) {
    TreeMap<String, String> identity = new TreeMap<>();
    Settings.values(localisation).forEach((key, value) -> identity.put(LOCALISATION + key, value));
    return identity;
  }

  /** Returns true if an identity is that of a run whose robot is localised in a known map. */
  public static boolean isOfLocalised(SortedMap<String, String> identity) {
    return identity.keySet().stream().anyMatch(key -> key.startsWith(LOCALISATION));
  }

  /** Returns the layout of a number of tasks, as filters take it. */
  public TaskLayout team(int tasks) {
    return new TaskLayout(tasks, topology.rebuildKeyFrames());
  }
}
