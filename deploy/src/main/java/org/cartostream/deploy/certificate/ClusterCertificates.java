package org.cartostream.deploy.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;

/**
 * Certificates of a secured cluster's servers, workers, command line and robots. Two authorities
 * sign them, so that a robot's certificate opens the broker's door and no other:
 *
 * <ul>
 *   <li>the cluster's authority signs for each host, and for clients of ZooKeeper, Nimbus and other
 *       workers; all of these trust it alone;
 *   <li>the robots' authority signs for robots and observers; only the broker trusts it as well.
 * </ul>
 *
 * <p>The broker takes the name in a certificate for its user's name: all certificates of the
 * cluster itself have the service's.
 *
 * @param home folders of the cluster
 */
public record ClusterCertificates(ClusterHome home) {

  private static final String OWN = "tls";

  /** Returns a host's certificates, which its servers show to their clients. */
  public TlsFolder of(Host host) {
    return new TlsFolder(home.of(host).resolve(OWN));
  }

  /** Returns a host's certificates as key stores, for servers that read those. */
  public KeyStores storesOf(Host host) {
    return new KeyStores(of(host), home.of(host));
  }

  /**
   * Returns the certificates of a client of ZooKeeper, Nimbus or another worker: the same on all
   * hosts and on this machine.
   */
  public TlsFolder client() {
    return new TlsFolder(home.client().resolve(OWN));
  }

  /** Returns the client's certificates as key stores, as Storm and ZooKeeper's client read them. */
  public KeyStores clientStores() {
    return new KeyStores(client(), home.client());
  }

  /** Returns the client's key stores, for our own sessions with ZooKeeper. */
  public ZooKeeperAccess.Stores zookeeperStores() {
    KeyStores stores = clientStores();
    return new ZooKeeperAccess.Stores(stores.own(), stores.trusted(), stores.password());
  }

  /** Returns the certificates of a robot's or an observer's user. */
  public TlsFolder of(String user) {
    return new TlsFolder(home.secrets().resolve("robots").resolve(user));
  }

  /** Returns the file with the certificates of both authorities, which the broker trusts. */
  public Path trustedByBroker(Host host) {
    return home.of(host).resolve(OWN).resolve("clients.pem");
  }

  /** Makes both authorities, and the certificates of all but robots and observers. */
  public void create(ClusterSpec clusterSpec) throws IOException {
    TlsFolder cluster = authority("authority");
    CertificateAuthority ours =
        CertificateAuthority.create(cluster, cluster, "Cartostream cluster authority");
    CertificateAuthority.create(
        authority("robots-authority"), cluster, "Cartostream robots authority");
    for (Host host : clusterSpec.hosts()) {
      ours.issue(of(host), BrokerUsers.SERVICE, host.address());
      storesOf(host).write();
    }
    ours.issue(client(), BrokerUsers.SERVICE, "");
    clientStores().write();
    Files.writeString(
        trustedByBroker(clusterSpec.hostOf(HostRole.BROKER)),
        Files.readString(cluster.authority())
            + Files.readString(authority("robots-authority").authority()));
  }

  /** Makes the certificate of a robot's or an observer's user, if it has none. */
  public void issueForUser(String user) {
    if (!Files.exists(of(user).certificate())) {
      new CertificateAuthority(authority("robots-authority"), authority("authority"))
          .issue(of(user), user, "");
    }
  }

  private TlsFolder authority(String name) {
    return new TlsFolder(home.secrets().resolve(name));
  }
}
