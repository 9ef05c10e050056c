package org.cartostream.collectives.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import org.cartostream.collectives.ChannelContract;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.transport.TlsFiles;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that reach each other by TLS, with certificates that the JDK's keytool has made. */
@Default
class TcpTlsIT extends ChannelContract {

  @TempDir private static Path folder;
  private static TlsFiles ours;

  @Override
  protected String transport() {
    return "tcp";
  }

  @Override
  protected Object[] access() throws Exception {
    ours = ours == null ? files("ours") : ours;
    return new Object[] {ours};
  }

  @Override
  protected int maxSize() {
    return 3;
  }

  @Override
  protected int tries() {
    return 100;
  }

  /** Files with a certificate that signs itself, and its key. */
  private static TlsFiles files(String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "member",
                "-dname",
                "CN=" + name,
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    char[] password = "secret".toCharArray();
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password);
    }
    Path certificate = pem("CERTIFICATE", keys.getCertificate("member").getEncoded());
    Path key = pem("PRIVATE KEY", keys.getKey("member", password).getEncoded());
    return new TlsFiles(certificate, key, certificate);
  }

  private static Path pem(String what, byte[] content) throws IOException {
    Path file = Files.createTempFile(folder, "tls", ".pem");
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }

  @Test
  void talksToNobodyWithoutACertificateOfItsAuthority() throws Exception {
    try (TcpTransport first = TcpTransport.secured(1, files("one"));
        TcpTransport second = TcpTransport.secured(1, files("another"));
        Group group = TcpChannelTest.pair(first, second, "group", TcpChannelTest.HASTY)) {
      CollectiveFuture<Void> zero = group.member(0).barrier(Group.round(1));
      CollectiveFuture<Void> one = group.member(1).barrier(Group.round(1));
      assertThat(Group.failure(zero).members()).containsExactly(1);
      assertThat(Group.failure(one).members()).containsExactly(0);
    }
  }
}
