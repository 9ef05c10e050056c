package org.cartostream.broker.registry;

import org.cartostream.settings.Setting;
import org.cartostream.settings.Settings;

/** Settings of the registry: ZooKeeper's address, time-outs, and how long a robot may be absent. */
public record RegistrySettings(
    @Setting(
            value = "",
            description =
                "ZooKeeper's servers, host:port,host:port, where robots and services register;"
                    + " empty: a service in its own (Storm's) ZooKeeper, a robot in that of its"
                    + " service if it knows it.")
        String zookeeper,
    @Setting(
            value = "10",
            unit = "s",
            min = 1,
            max = 600,
            description = "Maximum time for ZooKeeper to answer.")
        int timeoutSeconds,
    @Setting(
            value = "20",
            unit = "s",
            min = 2,
            max = 600,
            description = "Silence after which an entry leaves the registry (session timeout).")
        int sessionSeconds,
    @Setting(
            value = "300",
            unit = "s",
            min = 1,
            max = 31_536_000,
            description =
                "Silence after which the service releases a robot that is not in the registry, with"
                    + " its map and path; longer than the outages of its link.")
        int absenceSeconds) {

  /** Returns the settings with every default. */
  public static RegistrySettings defaults() {
    return Settings.defaults(RegistrySettings.class);
  }

  /** Returns the ZooKeeper that is named here. */
  public ZooKeeperAccess access() {
    return ZooKeeperAccess.plain(zookeeper);
  }

  /** Returns the ZooKeeper that is named here, or {@code own} if none is. */
  public ZooKeeperAccess access(ZooKeeperAccess own) {
    return zookeeper.isEmpty() ? own : access();
  }
}
