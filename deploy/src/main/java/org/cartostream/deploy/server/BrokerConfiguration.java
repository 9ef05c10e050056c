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
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;

/**
 * Configuration of a cluster's RabbitMQ: files and environment.
 *
 * @param home folders of the cluster
 * @param plan specification of the cluster
 */
public record BrokerConfiguration(ClusterHome home, ClusterSpec plan) {

  /** Bound of the log, which by RabbitMQ's default grows for ever. */
  private static final String LOGGING =
      "\nlog.file.rotation.size = 16777216\nlog.file.rotation.count = 3\n";

  RabbitMqNode node() {
    ClusterPorts clusterPorts = plan.ports();
    return new RabbitMqNode(
        home.of(plan.hostOf(HostRole.BROKER)).resolve("broker"),
        "cartostream",
        clusterPorts.brokerTools(),
        clusterPorts.brokerNames());
  }

  /**
   * Returns the file from which the broker reads {@link BrokerUsers#definitions} at its next start.
   */
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
   * Returns the broker's listeners. Its metrics go out without TLS and login; in a secured cluster
   * they do not leave the broker's host. There a certificate belongs to one user, whose name is in
   * it, and no password is asked for.
   */
  private String listener() {
    String at = plan.addressOf(HostRole.BROKER) + ":" + plan.ports().broker();
    String metrics =
        "prometheus.tcp.ip = %s\nprometheus.tcp.port = %d\n"
            .formatted(
                plan.secure() ? "127.0.0.1" : plan.addressOf(HostRole.BROKER),
                plan.ports().brokerMetrics());
    if (!plan.secure()) {
      return "\nlisteners.tcp.1 = " + at + "\n" + metrics;
    }
    ClusterCertificates clusterCertificates = new ClusterCertificates(home);
    Host host = plan.hostOf(HostRole.BROKER);
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
