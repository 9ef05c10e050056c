package org.cartostream.cli.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metricstore.NoOpMetricStore;
import org.cartostream.topology.submission.StormHome;

/**
 * Storm's settings for one host of a cluster.
 *
 * @param folder of the host's part of the cluster
 * @param plan of the cluster
 * @param host which
 */
record StormFiles(Path folder, Plan plan, Host host) {

  /** Seconds between two looks at whether all workers are there. */
  private static final int LOOK_EVERY_SECONDS = 1;

  Map<String, Object> conf() {
    Ports ports = plan.ports();
    Map<String, Object> conf = new LinkedHashMap<>(client(plan));
    conf.put(Config.STORM_LOCAL_HOSTNAME, host.address());
    conf.put(Config.STORM_LOCAL_DIR, folder.resolve("local").toString());
    conf.put(Config.SUPERVISOR_THRIFT_PORT, ports.supervisor());
    conf.put(DaemonConfig.SUPERVISOR_SLOTS_PORTS, ports.slots().subList(0, host.slots()));
    conf.put(DaemonConfig.STORM_METRIC_STORE_CLASS, NoOpMetricStore.class.getName());
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, LOOK_EVERY_SECONDS);
    conf.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, LOOK_EVERY_SECONDS);
    conf.put(Config.WORKER_HEAP_MEMORY_MB, plan.workerHeapMegabytes());
    conf.put(Config.WORKER_CHILDOPTS, workerOptions());
    if (plan.secure()) {
      conf.putAll(tlsBetweenWorkers());
    }
    return conf;
  }

  private List<String> workerOptions() {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Xmx%HEAP-MEM%m",
                "-XX:+UseParallelGC",
                "-Djava.awt.headless=true",
                "-Dlogback.configurationFile=" + new StormHome(folder).workerLogging()));
    if (plan.secure()) {
      // Storm does not tell its Netty whom it connects to, so names cannot be compared: workers
      // know
      // each other by the authority alone. Without this, its Netty 4.2 refuses every connection.
      options.add(
          "-Dorg.apache.storm.shade.io.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE");
    }
    return options;
  }

  /** Both sides show a certificate of the cluster's authority. */
  private Map<String, Object> tlsBetweenWorkers() {
    String password = new Secrets(folder).password(KeyStores.USER);
    String own = KeyStores.own(folder).toString();
    String trusted = KeyStores.trusted(folder).toString();
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

  /** What somebody needs to know who only asks Nimbus. */
  static Map<String, Object> client(Plan plan) {
    Map<String, Object> conf = new LinkedHashMap<>();
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of(plan.addressOf(Role.ZOOKEEPER)));
    conf.put(Config.STORM_ZOOKEEPER_PORT, plan.ports().zookeeper());
    conf.put(Config.NIMBUS_SEEDS, List.of(plan.addressOf(Role.NIMBUS)));
    conf.put(Config.NIMBUS_THRIFT_PORT, plan.ports().nimbus());
    return conf;
  }
}
