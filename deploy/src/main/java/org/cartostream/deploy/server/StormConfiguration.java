package org.cartostream.deploy.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metricstore.NoOpMetricStore;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.certificate.KeyStores;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.submission.BoundMessaging;
import org.cartostream.deploy.submission.BoundPlainTransport;
import org.cartostream.deploy.submission.BoundTlsTransport;
import org.cartostream.deploy.submission.InMemoryHeartbeatLauncher;
import org.cartostream.deploy.submission.StormHome;

/**
 * Storm's settings for one host of a cluster.
 *
 * @param home folders of the cluster
 * @param plan specification of the cluster
 * @param host the host
 */
public record StormConfiguration(ClusterHome home, ClusterSpec plan, Host host) {

  /** Seconds between two checks that all workers are there. */
  private static final int LOOK_EVERY_SECONDS = 1;

  /**
   * Seconds after which a worker that has not started is started elsewhere; Storm's default is 120.
   */
  private static final int LAUNCH_SECONDS = 60;

  /**
   * Number of Storm's attempts to reach ZooKeeper. With Storm's default of 5, a supervisor and its
   * workers end when ZooKeeper is away for some 25 seconds, and nobody starts the supervisor again;
   * with this number, after some minutes. Curator takes no more.
   */
  private static final int ZOOKEEPER_ATTEMPTS = 29;

  private static final int ZOOKEEPER_PAUSE_MILLIS = 5_000;

  Map<String, Object> conf() {
    ClusterPorts clusterPorts = plan.ports();
    Map<String, Object> conf = new LinkedHashMap<>(client(home, plan));
    conf.put(Config.STORM_LOCAL_HOSTNAME, host.address());
    conf.put(Config.STORM_LOCAL_DIR, local(home, host).toString());
    conf.put(Config.SUPERVISOR_THRIFT_PORT, clusterPorts.supervisor());
    conf.put(DaemonConfig.SUPERVISOR_SLOTS_PORTS, clusterPorts.slots().subList(0, host.slots()));
    conf.put(DaemonConfig.STORM_METRIC_STORE_CLASS, NoOpMetricStore.class.getName());
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, LOOK_EVERY_SECONDS);
    conf.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, LOOK_EVERY_SECONDS);
    conf.put(DaemonConfig.NIMBUS_TASK_LAUNCH_SECS, LAUNCH_SECONDS);
    conf.put(Config.STORM_ZOOKEEPER_RETRY_TIMES, ZOOKEEPER_ATTEMPTS);
    conf.put(Config.STORM_ZOOKEEPER_RETRY_INTERVAL_CEILING, ZOOKEEPER_PAUSE_MILLIS);
    conf.put(Config.WORKER_HEAP_MEMORY_MB, plan.workerHeapMegabytes());
    conf.put(Config.WORKER_CHILDOPTS, workerOptions());
    conf.put(Config.TOPOLOGY_WORKER_LOGWRITER_CHILDOPTS, logWriterOptions());
    conf.put(Config.STORM_MESSAGING_TRANSPORT, BoundMessaging.class.getName());
    conf.put(DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN_ENABLE, true);
    conf.put(
        DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN, InMemoryHeartbeatLauncher.class.getName());
    if (plan.secure()) {
      conf.putAll(tlsBetweenWorkers());
      conf.putAll(tlsOfServers());
    } else {
      conf.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, BoundPlainTransport.class.getName());
      conf.put(Config.SUPERVISOR_THRIFT_TRANSPORT_PLUGIN, BoundPlainTransport.class.getName());
    }
    return conf;
  }

  private StormHome stormHome() {
    return new StormHome(home.of(host));
  }

  /**
   * Returns the options of the JVM by which Storm starts a worker, and which writes the worker's
   * output into a log.
   */
  private List<String> logWriterOptions() {
    return List.of("-Xmx64m");
  }

  /** Returns Storm's own folder, {@code storm.local.dir}. */
  public static Path local(ClusterHome home, Host host) {
    return home.of(host).resolve("local");
  }

  private List<String> workerOptions() {
    List<String> options =
        new ArrayList<>(
            List.of(
                // Storm's own %HEAP-MEM% would be 128 MB for each executor in the worker.
                "-Xmx" + plan.workerHeapMegabytes() + "m",
                "-XX:+UseParallelGC",
                // Without memory no task can be trusted to go on; the runs of a worker that ends
                // are restored.
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.awt.headless=true",
                "-D" + BoundMessaging.ADDRESS + "=" + host.address(),
                StormHome.NO_SASL,
                StormHome.LANGUAGE,
                "-Dlogback.configurationFile=" + stormHome().workerLogging()));
    options.addAll(StormHome.WITHOUT_WARNINGS);
    if (plan.secure()) {
      // Storm does not tell Netty the name of the peer, so names cannot be compared: workers
      // recognise each other by the authority alone. Without this option, Storm's Netty 4.2 refuses
      // every connection.
      options.add(
          "-Dorg.apache.storm.shade.io.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE");
    }
    return options;
  }

  /**
   * Returns the settings of TLS between workers: both sides show a certificate of the cluster's
   * authority.
   */
  private Map<String, Object> tlsBetweenWorkers() {
    KeyStores client = new ClusterCertificates(home).clientStores();
    String password = client.password();
    String own = client.own().toString();
    String trusted = client.trusted().toString();
    Map<String, Object> conf = new LinkedHashMap<>();
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_ENABLE, true);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PATH, own);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PASSWORD, password);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_TRUSTSTORE_PATH, trusted);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_TRUSTSTORE_PASSWORD, password);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_CLIENT_KEYSTORE_PATH, own);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_CLIENT_KEYSTORE_PASSWORD, password);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_CLIENT_TRUSTSTORE_PATH, trusted);
    conf.put(Config.STORM_MESSAGING_NETTY_TLS_CLIENT_TRUSTSTORE_PASSWORD, password);
    return conf;
  }

  /**
   * Returns the settings of TLS at Nimbus and the supervisors: they show a certificate, and want
   * one from clients.
   */
  private Map<String, Object> tlsOfServers() {
    KeyStores server = new ClusterCertificates(home).storesOf(host);
    Map<String, Object> conf = new LinkedHashMap<>();
    conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_ONLY, true);
    conf.put(Config.NIMBUS_THRIFT_TLS_CLIENT_AUTH_REQUIRED, true);
    conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PATH, server.own().toString());
    conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_KEYSTORE_PASSWORD, server.password());
    conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_TRUSTSTORE_PATH, server.trusted().toString());
    conf.put(Config.NIMBUS_THRIFT_TLS_SERVER_TRUSTSTORE_PASSWORD, server.password());
    conf.put(Config.SUPERVISOR_THRIFT_TRANSPORT_PLUGIN, BoundTlsTransport.class.getName());
    conf.put(Config.SUPERVISOR_THRIFT_TLS_CLIENT_AUTH_REQUIRED, true);
    conf.put(Config.SUPERVISOR_THRIFT_TLS_SERVER_KEYSTORE_PATH, server.own().toString());
    conf.put(Config.SUPERVISOR_THRIFT_TLS_SERVER_KEYSTORE_PASSWORD, server.password());
    conf.put(Config.SUPERVISOR_THRIFT_TLS_SERVER_TRUSTSTORE_PATH, server.trusted().toString());
    conf.put(Config.SUPERVISOR_THRIFT_TLS_SERVER_TRUSTSTORE_PASSWORD, server.password());
    return conf;
  }

  /** Returns the settings of a client of Nimbus. */
  public static Map<String, Object> client(ClusterHome home, ClusterSpec clusterSpec) {
    Map<String, Object> conf = new LinkedHashMap<>();
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of(clusterSpec.addressOf(HostRole.ZOOKEEPER)));
    conf.put(Config.STORM_ZOOKEEPER_PORT, clusterSpec.ports().zookeeper());
    conf.put(Config.NIMBUS_SEEDS, List.of(clusterSpec.addressOf(HostRole.NIMBUS)));
    conf.put(Config.NIMBUS_THRIFT_PORT, clusterSpec.ports().nimbus());
    if (clusterSpec.secure()) {
      conf.putAll(
          tlsOfClients(new ClusterCertificates(home).clientStores(), clusterSpec.ports().nimbus()));
    }
    return conf;
  }

  /**
   * Returns the settings of TLS for clients of ZooKeeper, Nimbus or a supervisor. Nimbus hands its
   * settings to every worker, so the files are at the same path on each host.
   */
  private static Map<String, Object> tlsOfClients(KeyStores client, int nimbus) {
    String own = client.own().toString();
    String trusted = client.trusted().toString();
    String password = client.password();
    Map<String, Object> conf = new LinkedHashMap<>();
    conf.put(Config.ZK_SSL_ENABLE, true);
    conf.put(Config.STORM_ZOOKEEPER_SSL_HOSTNAME_VERIFICATION, true);
    conf.put(Config.STORM_ZOOKEEPER_SSL_KEYSTORE_PATH, own);
    conf.put(Config.STORM_ZOOKEEPER_SSL_KEYSTORE_PASSWORD, password);
    conf.put(Config.STORM_ZOOKEEPER_SSL_TRUSTSTORE_PATH, trusted);
    conf.put(Config.STORM_ZOOKEEPER_SSL_TRUSTSTORE_PASSWORD, password);
    conf.put(Config.NIMBUS_THRIFT_TLS_PORT, nimbus);
    conf.put(Config.NIMBUS_THRIFT_TLS_TRANSPORT_PLUGIN, BoundTlsTransport.class.getName());
    conf.put(Config.NIMBUS_THRIFT_CLIENT_USE_TLS, true);
    conf.put(Config.TOPOLOGY_WORKER_NIMBUS_THRIFT_CLIENT_USE_TLS, true);
    conf.put(Config.NIMBUS_THRIFT_TLS_CLIENT_KEYSTORE_PATH, own);
    conf.put(Config.NIMBUS_THRIFT_TLS_CLIENT_KEYSTORE_PASSWORD, password);
    conf.put(Config.NIMBUS_THRIFT_TLS_CLIENT_TRUSTSTORE_PATH, trusted);
    conf.put(Config.NIMBUS_THRIFT_TLS_CLIENT_TRUSTSTORE_PASSWORD, password);
    conf.put(Config.SUPERVISOR_THRIFT_CLIENT_USE_TLS, true);
    conf.put(Config.SUPERVISOR_THRIFT_TLS_CLIENT_KEYSTORE_PATH, own);
    conf.put(Config.SUPERVISOR_THRIFT_TLS_CLIENT_KEYSTORE_PASSWORD, password);
    conf.put(Config.SUPERVISOR_THRIFT_TLS_CLIENT_TRUSTSTORE_PATH, trusted);
    conf.put(Config.SUPERVISOR_THRIFT_TLS_CLIENT_TRUSTSTORE_PASSWORD, password);
    return conf;
  }
}
