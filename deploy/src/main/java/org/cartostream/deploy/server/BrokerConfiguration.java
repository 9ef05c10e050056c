package org.cartostream.deploy.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.Role;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;

/**
 * A cluster's RabbitMQ: its files and its environment.
 *
 * @param home of the cluster
 * @param plan of the cluster
 */
public record BrokerConfiguration(ClusterHome home, ClusterSpec plan) {

  /** RabbitMQ's own default lets its log grow for ever. */
  private static final String LOGGING =
      "\nlog.file.rotation.size = 16777216\nlog.file.rotation.count = 3\n";

  RabbitMqNode node() {
    ClusterPorts clusterPorts = plan.ports();
    return new RabbitMqNode(
        home.of(plan.hostOf(Role.BROKER)).resolve("broker"),
        "cartostream",
        clusterPorts.brokerTools(),
        clusterPorts.brokerNames());
  }

  /** Returns where {@link BrokerUsers#definitions} are read from at the next start. */
  Path definitions() {
    return node().folder().resolve("definitions.json");
  }

  public void write(BrokerUsers brokerUsers) throws IOException {
    Files.createDirectories(node().folder());
    Files.writeString(
        node().folder().resolve("enabled_plugins"),
        "[rabbitmq_prometheus,rabbitmq_auth_mechanism_ssl].\n");
    Files.writeString(node().folder().resolve("rabbitmq.conf"), configuration());
    Files.writeString(definitions(), brokerUsers.definitions());
  }

  private String configuration() throws IOException {
    try (InputStream in = BrokerNames.class.getResourceAsStream("rabbitmq.conf")) {
      String ours = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ours.replace("/etc/rabbitmq/definitions.json", definitions().toString())
          + LOGGING
          + listener();
    }
  }

  /**
   * Returns the listener of the broker's figures, which go out without TLS and login: from a
   * secured cluster not beyond its host. There a certificate belongs to one user, whose name is in
   * it, and no password is asked for.
   */
  private String listener() {
    String at = plan.addressOf(Role.BROKER) + ":" + plan.ports().broker();
    String metrics =
        "prometheus.tcp.ip = %s\nprometheus.tcp.port = %d\n"
            .formatted(
                plan.secure() ? "127.0.0.1" : plan.addressOf(Role.BROKER),
                plan.ports().brokerMetrics());
    if (!plan.secure()) {
      return "\nlisteners.tcp.1 = " + at + "\n" + metrics;
    }
    ClusterCertificates clusterCertificates = new ClusterCertificates(home);
    Host host = plan.hostOf(Role.BROKER);
    TlsFolder tls = clusterCertificates.of(host);
    return metrics
        + """

        listeners.tcp = none
        listeners.ssl.1 = %s
        ssl_options.cacertfile = %s
        ssl_options.certfile = %s
        ssl_options.keyfile = %s
        ssl_options.verify = verify_peer
        ssl_options.fail_if_no_peer_cert = true
        ssl_options.versions.1 = tlsv1.3
        auth_mechanisms.1 = EXTERNAL
        ssl_cert_login_from = common_name
        """
            .formatted(at, clusterCertificates.trustedByBroker(host), tls.certificate(), tls.key());
  }
}
