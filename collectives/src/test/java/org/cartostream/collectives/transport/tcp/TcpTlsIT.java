package org.cartostream.collectives.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that reach each other by TLS, with certificates that the JDK's keytool has made. */
@Default
class TcpTlsIT {

  @TempDir private Path folder;

  /** Files with a certificate that signs itself, and its key. */
  private TcpTransport secured(String name) throws Exception {
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
    return TcpTransport.secured(1, certificate, key, certificate);
  }

  private Path pem(String what, byte[] content) throws IOException {
    Path file = Files.createTempFile(folder, "tls", ".pem");
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }

  @Test
  void payloadsCrossTls() throws Exception {
    try (TcpTransport transport = secured("ours");
        Group group = TcpChannelTest.pair(transport, transport, "group", TcpChannelTest.PATIENT)) {
      byte[] large = new byte[1_000_000];
      large[999_999] = 7;
      CollectiveFuture<byte[]> zero = group.member(0).broadcast(Group.round(1), 0, large);
      CollectiveFuture<byte[]> one = group.member(1).broadcast(Group.round(1), 0, null);
      assertThat(Group.result(one)).isEqualTo(large).isNotSameAs(large);
      assertThat(Group.result(zero)).isSameAs(large);
    }
  }

  @Test
  void talksToNobodyWithoutACertificateOfItsAuthority() throws Exception {
    try (TcpTransport ours = secured("ours");
        TcpTransport theirs = secured("theirs");
        Group group = TcpChannelTest.pair(ours, theirs, "group", TcpChannelTest.HASTY)) {
      CollectiveFuture<Void> zero = group.member(0).barrier(Group.round(1));
      CollectiveFuture<Void> one = group.member(1).barrier(Group.round(1));
      assertThat(Group.failure(zero).members()).containsExactly(1);
      assertThat(Group.failure(one).members()).containsExactly(0);
    }
  }
}
