package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.broker.Accounts;
import org.cartostream.broker.BrokerNames;
import org.cartostream.broker.TlsFolder;
import org.cartostream.broker.local.RabbitMqNode;

/**
 * A cluster's RabbitMQ: its files and its environment.
 *
 * @param home of the cluster
 * @param plan of the cluster
 */
record BrokerFiles(ClusterHome home, Plan plan) {

  RabbitMqNode node() {
    Ports ports = plan.ports();
    return new RabbitMqNode(
        home.of(plan.only(Role.BROKER)).resolve("broker"),
        "cartostream",
        ports.brokerTools(),
        ports.brokerNames());
  }

  /** Where {@link Accounts#definitions} are read from at the next start. */
  Path definitions() {
    return node().folder().resolve("definitions.json");
  }

  void write(Accounts accounts) throws IOException {
    Files.createDirectories(node().folder());
    Files.writeString(node().folder().resolve("enabled_plugins"), "[rabbitmq_prometheus].\n");
    Files.writeString(node().folder().resolve("rabbitmq.conf"), configuration());
    Files.writeString(definitions(), accounts.definitions());
  }

  private String configuration() throws IOException {
    try (InputStream in = BrokerNames.class.getResourceAsStream("rabbitmq.conf")) {
      String ours = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ours.replace("/etc/rabbitmq/definitions.json", definitions().toString()) + listener();
    }
  }

  /** Its figures go out without TLS and login: from a secured cluster not beyond its host. */
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
    Identities identities = new Identities(home);
    Host host = plan.only(Role.BROKER);
    TlsFolder tls = identities.of(host);
    return metrics
        + """

        listeners.tcp = none
        listeners.ssl.1 = %s
        ssl_options.cacertfile = %s
        ssl_options.certfile = %s
        ssl_options.keyfile = %s
        ssl_options.verify = verify_peer
        ssl_options.fail_if_no_peer_cert = true
        """
            .formatted(at, identities.trustedByBroker(host), tls.certificate(), tls.key());
  }
}
