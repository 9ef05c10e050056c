package org.cartostream.deploy.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.Role;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;

/**
 * Certificates of a secured cluster's servers, workers, command line and robots. There are two
 * authorities, so that a robot's certificate opens the broker's door and no other:
 *
 * <ul>
 *   <li>the cluster's signs for each host, and for what connects to ZooKeeper, Nimbus and other
 *       workers; all of these trust it alone;
 *   <li>the robots' signs for robots; only the broker trusts it as well.
 * </ul>
 *
 * @param home of the cluster
 */
public record ClusterCertificates(ClusterHome home) {

  private static final String OWN = "tls";

  /** A host's certificates: what it shows where somebody connects to it. */
  public TlsFolder of(Host host) {
    return new TlsFolder(home.of(host).resolve(OWN));
  }

  /** The same again, for servers that read key stores. */
  public KeyStores storesOf(Host host) {
    return new KeyStores(of(host), home.of(host));
  }

  /** What connects to ZooKeeper, Nimbus or another worker: the same on all hosts, and here. */
  public TlsFolder client() {
    return new TlsFolder(home.client().resolve(OWN));
  }

  /** The same again, as Storm and ZooKeeper's client read it. */
  public KeyStores clientStores() {
    return new KeyStores(client(), home.client());
  }

  /** The client's stores, for our own sessions with ZooKeeper. */
  public ZooKeeperAccess.Stores zookeeperStores() {
    KeyStores stores = clientStores();
    return new ZooKeeperAccess.Stores(stores.own(), stores.trusted(), stores.password());
  }

  /** A robot's certificates. */
  public TlsFolder of(String robot) {
    return new TlsFolder(home.secrets().resolve("robots").resolve(RobotId.check(robot)));
  }

  /** The certificates of both authorities: whom the broker trusts. */
  public Path trustedByBroker(Host host) {
    return home.of(host).resolve(OWN).resolve("clients.pem");
  }

  /** Makes both authorities, and the certificates of all but the robots. */
  public void create(ClusterSpec clusterSpec) throws IOException {
    TlsFolder cluster = authority("authority");
    CertificateAuthority ours = CertificateAuthority.create(cluster, cluster);
    CertificateAuthority.create(authority("robots-authority"), cluster);
    for (Host host : clusterSpec.hosts()) {
      ours.issue(of(host), host.name(), host.address());
      storesOf(host).write();
    }
    ours.issue(client(), "client", "");
    clientStores().write();
    Files.writeString(
        trustedByBroker(clusterSpec.hostOf(Role.BROKER)),
        Files.readString(cluster.authority())
            + Files.readString(authority("robots-authority").authority()));
  }

  /** Makes a robot's certificate, if it has none. */
  public void issueForRobot(String robot) {
    if (!Files.exists(of(robot).certificate())) {
      new CertificateAuthority(authority("robots-authority"), authority("authority"))
          .issue(of(robot), robot, "");
    }
  }

  private TlsFolder authority(String name) {
    return new TlsFolder(home.secrets().resolve(name));
  }
}
