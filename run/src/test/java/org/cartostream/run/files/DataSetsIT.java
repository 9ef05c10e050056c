package org.cartostream.run.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data sets that are fetched from an index of packages, as PEP 503 describes one. */
@Default
class DataSetsIT {

  private static final byte[] LOG = "a log\n".getBytes(StandardCharsets.US_ASCII);
  private static final String PAGE =
      """
      <a href="../../files/a_log-1.9-py3-none-any.whl#sha256=0">an older one</a>
      <a href="../../files/a_log-2.0.tar.gz">no wheel</a>
      <a href="../../files/a_log-2.0-py3-none-any.whl#sha256=1">this one</a>
      """;

  @TempDir private Path folder;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private HttpServer server;

  @BeforeEach
  void serveAnIndex() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer("/simple/a-log/", PAGE.getBytes(StandardCharsets.UTF_8));
    answer("/files/a_log-2.0-py3-none-any.whl", wheel());
    server.start();
    environment.put("HOME", folder.toString());
    environment.put("CARTOSTREAM_CACHE", folder.resolve("cache").toString());
    environment.put("PIP_INDEX_URL", index());
    catalogue(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(LOG)));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String index() {
    return "http://me:secret@127.0.0.1:" + server.getAddress().getPort() + "/simple";
  }

  private void answer(String path, byte[] content) {
    server.createContext(
        path,
        exchange -> {
          asked.add(path + " " + exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(200, content.length);
          exchange.getResponseBody().write(content);
          exchange.close();
        });
  }

  private static byte[] wheel() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("other.txt"));
      zip.putNextEntry(new ZipEntry("logs/a.clf"));
      zip.write(LOG);
    }
    return bytes.toByteArray();
  }

  private void catalogue(String checksum) throws IOException {
    Files.writeString(
        folder.resolve("datasets.yaml"),
        """
        a:
          title: a log
          package: A.Log==2.0
          member: logs/a.clf
          file: a.clf
          sha256: "%s"
        """
            .formatted(checksum));
  }

  private DataSets dataSets() {
    return new DataSets(folder, environment);
  }

  @Test
  void fetchesAFileOfAPackageOnce() {
    Path file = dataSets().fetch("a");
    assertThat(file).isEqualTo(folder.resolve("cache/a.clf")).hasBinaryContent(LOG);
    String user = " Basic bWU6c2VjcmV0"; // me:secret in base 64
    assertThat(asked)
        .containsExactly("/simple/a-log/" + user, "/files/a_log-2.0-py3-none-any.whl" + user);

    server.stop(0);
    assertThat(dataSets().fetch("a")).isEqualTo(file);
  }

  @Test
  void isConfiguredByTheFileThatTheEnvironmentNames() throws IOException {
    environment.put(
        "PIP_CONFIG_FILE",
        Files.writeString(
                folder.resolve("pip.conf"),
                "[install]\nindex-url = http://127.0.0.1:9\n[global]\nindex-url = "
                    + index()
                    + "\n")
            .toString());
    environment.remove("PIP_INDEX_URL");
    assertThat(dataSets().fetch("a")).hasBinaryContent(LOG);
  }

  @Test
  void fetchesADamagedFileAgain() throws IOException {
    Files.createDirectories(folder.resolve("cache"));
    Files.writeString(folder.resolve("cache/a.clf"), "damaged");
    assertThat(dataSets().fetch("a")).hasBinaryContent(LOG);
  }

  @Test
  void keepsNothingThatHasAnotherChecksum() throws IOException {
    catalogue("0000");
    assertThatThrownBy(() -> dataSets().fetch("a"))
        .isInstanceOf(ExitException.class)
        .hasMessageContaining("0000 is right");
    assertThat(folder.resolve("cache")).isEmptyDirectory();
  }

  @Test
  void saysWhereItAskedInVainWithoutThePassword() {
    environment.put("PIP_INDEX_URL", "http://me:secret@127.0.0.1:9/simple");
    assertThatThrownBy(() -> dataSets().fetch("a"))
        .hasMessageContaining("http://127.0.0.1:9/simple/a-log/", "is there a network?");
    environment.put("PIP_INDEX_URL", index() + "/none");
    assertThatThrownBy(() -> dataSets().fetch("a")).hasMessageContaining("it answers 404");
    environment.put("PIP_NO_INDEX", "1");
    assertThatThrownBy(() -> dataSets().fetch("a")).hasMessageContaining("no-index");
  }
}
