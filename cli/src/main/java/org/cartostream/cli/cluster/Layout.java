package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.shade.org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.cartostream.broker.Accounts;
import org.cartostream.broker.BrokerAddress;
import org.cartostream.broker.TlsFolder;
import org.cartostream.broker.local.RabbitMqNode;
import org.cartostream.topology.submission.ClassPath;
import org.cartostream.topology.submission.StormHome;

/**
 * Which servers a cluster has, and the files they need.
 *
 * @param home of the cluster
 * @param plan of the cluster
 */
record Layout(ClusterHome home, Plan plan) {

  /** ZooKeeper as Storm brings it along, with the libraries it was built with. */
  private static final String ZOOKEEPER =
      "org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain";

  private static final int ZOOKEEPER_HEAP_MEGABYTES = 128;
  private static final int STORM_HEAP_MEGABYTES = 256;

  /** The servers in the order in which they must start. */
  List<Daemon> daemons() {
    List<Daemon> daemons = new ArrayList<>();
    for (Host host : plan.hosts()) {
      host.roles().forEach(role -> daemons.add(daemon(role, host)));
    }
    daemons.sort(Comparator.comparing(Daemon::role));
    return daemons;
  }

  private Daemon daemon(Role role, Host host) {
    Path folder = home.of(host);
    StormHome storm = new StormHome(folder);
    Ports ports = plan.ports();
    return switch (role) {
      case ZOOKEEPER ->
          new Daemon(
              role,
              host,
              folder,
              new Leftovers(home, host),
              ports.zookeeper(),
              storm.command(
                  java(host),
                  role.toString(),
                  ZOOKEEPER_HEAP_MEGABYTES,
                  ZOOKEEPER,
                  folder.resolve("zoo.cfg").toString()),
              environment(host, Map.of()));
      case BROKER ->
          new Daemon(
              role,
              host,
              folder,
              new Leftovers(home, host),
              ports.broker(),
              List.of(RabbitMqNode.SERVER.toString()),
              environment(host, new BrokerFiles(home, plan).node().environment()));
      case NIMBUS -> storm(role, host, ports.nimbus(), "org.apache.storm.daemon.nimbus.Nimbus");
      case SUPERVISOR ->
          storm(role, host, ports.supervisor(), "org.apache.storm.daemon.supervisor.Supervisor");
    };
  }

  private Daemon storm(Role role, Host host, int port, String type) {
    Path folder = home.of(host);
    StormHome storm = new StormHome(folder);
    return new Daemon(
        role,
        host,
        folder,
        new Leftovers(home, host),
        port,
        storm.command(java(host), role.toString(), STORM_HEAP_MEGABYTES, type),
        environment(host, storm.environment()));
  }

  /** The same JVM as this one where the files are the same, else the one in the path. */
  private static String java(Host host) {
    return host.sharesFiles()
        ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
        : "java";
  }

  /** Workers inherit it from their supervisor, and learn from it who they are to the broker. */
  private Map<String, String> environment(Host host, Map<String, String> own) {
    Map<String, String> all = new LinkedHashMap<>(own);
    all.put(home.mark(host).getKey(), home.mark(host).getValue());
    if (host.roles().contains(Role.SUPERVISOR)) {
      all.put(BrokerAddress.USER_VARIABLE, Accounts.SERVICE);
      all.put(
          BrokerAddress.PASSWORD_FILE_VARIABLE,
          new Secrets(home.of(host)).file(Accounts.SERVICE).toString());
      if (plan.secure()) {
        all.put(TlsFolder.VARIABLE, new Identities(home).of(host).folder().toString());
      }
    }
    return all;
  }

  /** Writes every host's files, into this machine's copy of its folder. */
  void furnish(Accounts accounts) throws IOException {
    List<Path> libraries = ClassPath.libraries();
    Secrets secrets = new Secrets(home.secrets());
    if (plan.secure()) {
      new Identities(home).create(plan);
    }
    for (Host host : plan.hosts()) {
      Path folder = home.of(host);
      new StormHome(folder).furnish(new StormFiles(home, plan, host).conf(), libraries);
      if (host.roles().contains(Role.SUPERVISOR)) {
        Files.copy(secrets.file(Accounts.SERVICE), new Secrets(folder).file(Accounts.SERVICE));
      }
      if (host.roles().contains(Role.ZOOKEEPER)) {
        Files.writeString(folder.resolve("zoo.cfg"), zookeeper(host));
      }
      if (host.roles().contains(Role.BROKER)) {
        new BrokerFiles(home, plan).write(accounts);
      }
    }
  }

  private String zookeeper(Host host) {
    String all =
        """
        tickTime=2000
        dataDir=%s
        maxClientCnxns=0
        admin.enableServer=false
        """
            .formatted(home.of(host).resolve("zookeeper"));
    int port = plan.ports().zookeeper();
    if (!plan.secure()) {
      return all + "clientPort=%d\nclientPortAddress=%s\n".formatted(port, host.address());
    }
    KeyStores stores = new Identities(home).storesOf(host);
    return all
        + """
        secureClientPort=%d
        secureClientPortAddress=%s
        serverCnxnFactory=%s
        ssl.clientAuth=need
        ssl.keyStore.location=%s
        ssl.keyStore.passwordPath=%s
        ssl.keyStore.type=PKCS12
        ssl.trustStore.location=%s
        ssl.trustStore.passwordPath=%s
        ssl.trustStore.type=PKCS12
        """
            .formatted(
                port,
                host.address(),
                NettyServerCnxnFactory.class.getName(),
                stores.own(),
                stores.passwordFile(),
                stores.trusted(),
                stores.passwordFile());
  }
}
