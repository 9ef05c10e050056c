package org.cartostream.deploy.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.server.BrokerConfiguration;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;

/** A cluster that was made, and of which no server runs. */
public final class DeadCluster {

  private static final Host AWAY =
      new Host(
          "away",
          Host.Reach.NAMESPACE,
          "",
          "127.0.0.2",
          EnumSet.of(HostRole.ZOOKEEPER, HostRole.NIMBUS, HostRole.SUPERVISOR),
          1);

  private static final Host HERE =
      new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.of(HostRole.BROKER), 0);

  private DeadCluster() {}

  /** One with its files in {@code folder}, which must not be there yet. */
  public static Cluster in(Path folder) throws IOException {
    return in(folder, ClusterSpec.onThisMachine(1, false, 256));
  }

  /**
   * One of two hosts, {@code away} and {@code here}, of which the first cannot be reached. The
   * broker is the other's, and could be started.
   */
  public static Cluster withAHostThatIsAway(Path folder) throws IOException {
    ClusterSpec clusterSpec =
        new ClusterSpec(List.of(AWAY, HERE), ClusterPorts.free(1), false, 256, "");
    Cluster cluster = in(folder, clusterSpec);
    ClusterHome home = ClusterHome.of(folder.toString());
    String password = new PasswordFiles(home.secrets()).password(BrokerUsers.SERVICE);
    Files.createDirectories(home.of(HERE).resolve("logs"));
    new BrokerConfiguration(home, clusterSpec).write(new BrokerUsers().withService(password));
    return cluster;
  }

  private static Cluster in(Path folder, ClusterSpec clusterSpec) throws IOException {
    ClusterHome home = ClusterHome.of(folder.toString());
    home.claim();
    home.create(clusterSpec);
    return Cluster.at(home);
  }
}
