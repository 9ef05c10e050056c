package org.cartostream.deploy.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.shade.org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.cartostream.broker.connection.BrokerAddress;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.certificate.KeyStores;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ClusterProcesses;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;
import org.cartostream.deploy.submission.ClassPath;
import org.cartostream.deploy.submission.StormHome;

/**
 * Servers of a cluster, and the files that they need.
 *
 * @param home folders of the cluster
 * @param plan specification of the cluster
 */
public record ClusterServers(ClusterHome home, ClusterSpec plan) {

  /** Main class of the ZooKeeper that Storm contains, with the libraries that it was built with. */
  private static final String ZOOKEEPER =
      "org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain";

  private static final int ZOOKEEPER_HEAP_MEGABYTES = 128;
  private static final int STORM_HEAP_MEGABYTES = 256;

  /** Returns the servers in the order in which they must start. */
  public List<ServerProcess> daemons() {
    List<ServerProcess> serverProcesses = new ArrayList<>();
    for (Host host : plan.hosts()) {
      host.roles().forEach(role -> serverProcesses.add(daemon(role, host)));
    }
    serverProcesses.sort(Comparator.comparing(ServerProcess::role));
    return serverProcesses;
  }

  private ServerProcess daemon(HostRole role, Host host) {
    Path folder = home.of(host);
    StormHome storm = new StormHome(folder);
    ClusterPorts clusterPorts = plan.ports();
    return switch (role) {
      case ZOOKEEPER ->
          new ServerProcess(
              role,
              host,
              folder,
              new ClusterProcesses(home, host),
              clusterPorts.zookeeper(),
              storm.command(
                  java(host),
                  role.toString(),
                  ZOOKEEPER_HEAP_MEGABYTES,
                  ZOOKEEPER,
                  folder.resolve("zoo.cfg").toString()),
              environment(host, Map.of()));
      case BROKER ->
          new ServerProcess(
              role,
              host,
              folder,
              new ClusterProcesses(home, host),
              clusterPorts.broker(),
              List.of(RabbitMqNode.SERVER.toString()),
              environment(host, broker()));
      case NIMBUS ->
          storm(role, host, clusterPorts.nimbus(), "org.apache.storm.daemon.nimbus.Nimbus");
      case SUPERVISOR ->
          storm(
              role,
              host,
              clusterPorts.supervisor(),
              "org.apache.storm.daemon.supervisor.Supervisor");
    };
  }

  private Map<String, String> broker() {
    Map<String, String> environment =
        new LinkedHashMap<>(new BrokerConfiguration(home, plan).node().environment());
    environment.put("RUNNING_UNDER_SYSTEMD", "true"); // Else a script stays as the broker's parent.
    return environment;
  }

  private ServerProcess storm(HostRole role, Host host, int port, String type) {
    Path folder = home.of(host);
    StormHome storm = new StormHome(folder);
    return new ServerProcess(
        role,
        host,
        folder,
        new ClusterProcesses(home, host),
        port,
        storm.command(java(host), role.toString(), STORM_HEAP_MEGABYTES, type),
        environment(host, storm.environment()));
  }

  /**
   * Returns the path of the JVM: this process's own where the host has the same files, else the JVM
   * in the host's path.
   */
  private static String java(Host host) {
    return host.sharesFiles()
        ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
        : "java";
  }

  /**
   * Returns the environment of a host's servers. Workers inherit it from their supervisor, with
   * their user at the broker.
   */
  private Map<String, String> environment(Host host, Map<String, String> own) {
    Map<String, String> all = new LinkedHashMap<>(own);
    all.put(home.processTag(host).getKey(), home.processTag(host).getValue());
    if (host.roles().contains(HostRole.SUPERVISOR)) {
      all.put(BrokerAddress.USER_VARIABLE, BrokerUsers.SERVICE);
      all.put(
          BrokerAddress.PASSWORD_FILE_VARIABLE,
          new PasswordFiles(home.of(host)).file(BrokerUsers.SERVICE).toString());
      if (plan.secure()) {
        all.put(TlsFolder.VARIABLE, new ClusterCertificates(home).of(host).folder().toString());
      }
    }
    return all;
  }

  /** Writes the files of every host, into this machine's copy of the host's folder. */
  public void writeFiles(BrokerUsers brokerUsers) throws IOException {
    List<Path> libraries = ClassPath.libraries();
    PasswordFiles passwordFiles = new PasswordFiles(home.secrets());
    if (plan.secure()) {
      new ClusterCertificates(home).create(plan);
    }
    for (Host host : plan.hosts()) {
      Path folder = home.of(host);
      new StormHome(folder).create(new StormConfiguration(home, plan, host).conf(), libraries);
      if (host.roles().contains(HostRole.SUPERVISOR)) {
        Files.copy(
            passwordFiles.file(BrokerUsers.SERVICE),
            new PasswordFiles(folder).file(BrokerUsers.SERVICE));
      }
      if (host.roles().contains(HostRole.ZOOKEEPER)) {
        Files.writeString(folder.resolve("zoo.cfg"), zookeeper(host));
      }
      if (host.roles().contains(HostRole.BROKER)) {
        new BrokerConfiguration(home, plan).write(brokerUsers);
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
    KeyStores stores = new ClusterCertificates(home).storesOf(host);
    return all
        + """
        secureClientPort=%d
        secureClientPortAddress=%s
        serverCnxnFactory=%s
        ssl.clientAuth=need
        ssl.enabledProtocols=TLSv1.3
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
