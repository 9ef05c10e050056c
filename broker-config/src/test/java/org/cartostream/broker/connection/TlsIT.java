package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real RabbitMQ with a certificate that only this test's trust store knows. */
@Default
class TlsIT {

  private static final char[] PASSWORD = "for-this-test".toCharArray();

  @TempDir private Path folder;
  private final SSLContext before = defaultContext();
  private KeyStore keys;

  @BeforeEach
  void makeCertificate() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "broker",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test broker",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
  }

  @AfterEach
  void restoreTrust() {
    SSLContext.setDefault(before);
  }

  @Test
  void connectsOnlyToABrokerWhoseCertificateIsTrusted() throws Exception {
    int port = freePort();
    try (LocalRabbitMq node = LocalRabbitMq.started(home -> filesFor(home, port))) {
      assertThat(node.port()).isNotEqualTo(port);
      // It greets on its plain port before it listens for TLS.
      node.control("await_startup");
      assertThatThrownBy(() -> open("127.0.0.1", port))
          .isInstanceOf(BrokerException.class)
          .hasMessageStartingWith("TLS with the broker at 127.0.0.1:" + port + " failed: ");
      trust();
      try (BrokerConnection connection = open("127.0.0.1", port)) {
        assertThat(connection.isUp()).isTrue();
      }
      assertThatThrownBy(() -> open("localhost", port))
          .hasMessageStartingWith("TLS with the broker at localhost:" + port + " failed: ");
    }
  }

  private static BrokerConnection open(String host, int port) {
    String uri = "amqps://guest:guest@" + host + ":" + port;
    return BrokerConnection.open(
        BrokerSettings.defaults().withUri(uri), "gateway", BrokerListener.NONE);
  }

  private Map<String, String> filesFor(Path home, int port) throws IOException {
    try {
      String configuration =
          """
          listeners.ssl.1 = 127.0.0.1:%d
          ssl_options.certfile = %s/certificate.pem
          ssl_options.keyfile = %s/key.pem
          ssl_options.verify = verify_none
          """
              .formatted(port, home, home);
      return Map.of(
          "rabbitmq.conf",
          configuration,
          "certificate.pem",
          pem("CERTIFICATE", keys.getCertificate("broker").getEncoded()),
          "key.pem",
          pem("PRIVATE KEY", keys.getKey("broker", PASSWORD).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String pem(String what, byte[] bytes) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }

  /** What the JVM does with {@code -Djavax.net.ssl.trustStore}. */
  private void trust() throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("broker", keys.getCertificate("broker"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    SSLContext.setDefault(context);
  }

  private static SSLContext defaultContext() {
    try {
      return SSLContext.getDefault();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
