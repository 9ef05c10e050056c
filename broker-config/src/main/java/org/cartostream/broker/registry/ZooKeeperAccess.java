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
 * Address of ZooKeeper, where robots and tasks find each other, with a party's certificates for it.
 *
 * @param servers {@code host:port,host:port}; empty if there is no ZooKeeper
 * @param tls the party's certificates, for servers that take TLS only; empty for connections
 *     without TLS
 */
public record ZooKeeperAccess(String servers, Optional<Stores> tls) {

  private static final String STORE_TYPE = "PKCS12";

  /**
   * Files with a party's certificates as ZooKeeper and Storm read them.
   *
   * @param own file with the party's key and certificate, PKCS 12
   * @param trusted file with the authority's certificate, PKCS 12
   * @param password password of both files
   */
  public record Stores(Path own, Path trusted, String password) {

    /** Returns the names of the files, without the password. */
    @Override
    public String toString() {
      return "certificates in " + own + " and " + trusted;
    }
  }

  /** Returns the access to a ZooKeeper that takes connections without TLS. */
  public static ZooKeeperAccess plain(String servers) {
    return new ZooKeeperAccess(servers, Optional.empty());
  }

  /**
   * Returns the access to a ZooKeeper that takes connections with TLS only, from clients whose
   * certificates it trusts.
   */
  public static ZooKeeperAccess secured(String servers, Stores stores) {
    return new ZooKeeperAccess(servers, Optional.of(stores));
  }

  /**
   * Returns a client that is not started yet.
   *
   * @param sessionMillis silence after which ZooKeeper takes the client as gone
   * @param connectMillis time for a connection to come about
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
   * Returns the client's configuration for TLS, as in ZooKeeper's administrator's guide, under
   * "Encryption, Authentication, Authorization".
   */
  private static ZKClientConfig configuration(Stores stores) {
    ZKClientConfig configuration = new ZKClientConfig();
    configuration.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    configuration.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
    // With SASL, the client looks up the server's name by its address, and wants a certificate for
    // that name.
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

  /** Returns the servers, and whether they are reached by TLS. */
  @Override
  public String toString() {
    return servers + (tls.isPresent() ? " (TLS)" : "");
  }
}
