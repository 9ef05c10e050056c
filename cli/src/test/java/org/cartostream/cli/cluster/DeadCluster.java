package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.cartostream.broker.Accounts;

/** A cluster that was made, and of which no server runs. */
public final class DeadCluster {

  private static final Host AWAY =
      new Host(
          "away",
          Host.Reach.NAMESPACE,
          "",
          "127.0.0.1",
          EnumSet.of(Role.ZOOKEEPER, Role.NIMBUS, Role.SUPERVISOR),
          1);

  private static final Host HERE =
      new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.of(Role.BROKER), 0);

  private DeadCluster() {}

  /** One with its files in {@code folder}, which must not be there yet. */
  public static Cluster in(Path folder) throws IOException {
    return in(folder, Plan.here(1, false, 256));
  }

  /**
   * One of two hosts, {@code away} and {@code here}, of which the first cannot be reached. The
   * broker is the other's, and could be started.
   */
  public static Cluster withAHostThatIsAway(Path folder) throws IOException {
    Plan plan = new Plan(List.of(AWAY, HERE), Ports.free(1), false, 256);
    Cluster cluster = in(folder, plan);
    ClusterHome home = ClusterHome.of(folder.toString());
    String password = new Secrets(home.secrets()).password(Accounts.SERVICE);
    Files.createDirectories(home.of(HERE).resolve("logs"));
    new BrokerFiles(home, plan).write(new Accounts().withService(password));
    return cluster;
  }

  private static Cluster in(Path folder, Plan plan) throws IOException {
    ClusterHome home = ClusterHome.of(folder.toString());
    home.claim();
    home.create(plan);
    return Cluster.at(home);
  }
}
