package org.cartostream.broker.register;

import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.slam.config.Setting;
import org.cartostream.slam.config.Settings;

/** Where robots and services register, and for how long they are missed. */
public record RegisterSettings(
    @Setting(
            value = "",
            says =
                "ZooKeeper's servers, host:port,host:port, where robots and services register;"
                    + " empty: a service in its own (Storm's) ZooKeeper, a robot in that of its"
                    + " service if it knows it.")
        String zookeeper,
    @Setting(value = "10", unit = "s", min = 1, max = 600, says = "Time for ZooKeeper to answer.")
        int timeoutSeconds,
    @Setting(
            value = "20",
            unit = "s",
            min = 2,
            max = 600,
            says = "Who is silent for as long is taken off the register.")
        int sessionSeconds,
    @Setting(
            value = "300",
            unit = "s",
            min = 1,
            max = 31_536_000,
            says =
                "A robot that is off the register, and silent, for as long is released by the"
                    + " service, with its map and path; longer than the outages of its link.")
        int absenceSeconds) {

  /** Every default. */
  public static RegisterSettings defaults() {
    return Settings.defaults(RegisterSettings.class);
  }

  /** The ZooKeeper that is named here. */
  public ZooKeeperAccess access() {
    return ZooKeeperAccess.plain(zookeeper);
  }

  /** The ZooKeeper that is named here, or {@code own} if none is. */
  public ZooKeeperAccess access(ZooKeeperAccess own) {
    return zookeeper.isEmpty() ? own : access();
  }
}
