package org.cartostream.broker.registry;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;

/**
 * The address of ZooKeeper, where robots and tasks find each other, and a party's certificates for
 * it.
 *
 * @param servers {@code host:port,host:port}; empty if there is none
 * @param tls what a server that takes TLS only wants to see; empty for connections without
 */
public record ZooKeeperAccess(String servers, Optional<Stores> tls) {

  private static final String STORE_TYPE = "PKCS12";

  /**
   * A party's certificates as ZooKeeper and Storm read them.
   *
   * @param own its key and certificate, PKCS 12
   * @param trusted the authority's certificate, PKCS 12
   * @param password of both files
   */
  public record Stores(Path own, Path trusted, String password) {

    /** Returns the access without the password. */
    @Override
    public String toString() {
      return "certificates in " + own + " and " + trusted;
    }
  }

  /** A ZooKeeper that takes connections without TLS. */
  public static ZooKeeperAccess plain(String servers) {
    return new ZooKeeperAccess(servers, Optional.empty());
  }

  /** A ZooKeeper that takes connections with TLS only, and of those that it knows. */
  public static ZooKeeperAccess secured(String servers, Stores stores) {
    return new ZooKeeperAccess(servers, Optional.of(stores));
  }

  /**
   * A client, not yet started.
   *
   * @param sessionMillis after which ZooKeeper takes a silent client as gone
   * @param connectMillis for a connection to come about
   */
  public CuratorFramework client(int sessionMillis, int connectMillis, RetryPolicy retry) {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(servers)
            .sessionTimeoutMs(sessionMillis)
            .connectionTimeoutMs(connectMillis)
            .retryPolicy(retry);
    tls.ifPresent(stores -> builder.zkClientConfig(configuration(stores)));
    return builder.build();
  }

  /**
   * Returns the configuration as in the administrator's guide, under "Encryption, Authentication,
   * Authorization".
   */
  private static ZKClientConfig configuration(Stores stores) {
    ZKClientConfig configuration = new ZKClientConfig();
    configuration.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    configuration.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
    // With it, the client asks for the server's name by its address, and wants that one certified.
    configuration.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    try (ClientX509Util names = new ClientX509Util()) {
      configuration.setProperty(names.getSslKeystoreLocationProperty(), stores.own.toString());
      configuration.setProperty(names.getSslKeystorePasswdProperty(), stores.password);
      configuration.setProperty(names.getSslKeystoreTypeProperty(), STORE_TYPE);
      configuration.setProperty(
          names.getSslTruststoreLocationProperty(), stores.trusted.toString());
      configuration.setProperty(names.getSslTruststorePasswdProperty(), stores.password);
      configuration.setProperty(names.getSslTruststoreTypeProperty(), STORE_TYPE);
    }
    return configuration;
  }

  /** The servers, and whether by TLS. */
  @Override
  public String toString() {
    return servers + (tls.isPresent() ? " (TLS)" : "");
  }
}
