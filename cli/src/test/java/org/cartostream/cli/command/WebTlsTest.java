package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.cli.Cartostream;
import org.cartostream.deploy.certificate.CertificateAuthority;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.cartostream.web.server.WebAddress;
import org.cartostream.web.server.WebServer;
import org.cartostream.web.state.ObservedRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page by HTTPS, with a certificate as a secured cluster has one for each host. */
@Quick
class WebTlsTest {

  private static final String ADDRESS = "127.0.0.1";

  @TempDir private Path folder;

  private TlsFolder authority;
  private TlsFolder host;

  @BeforeEach
  void issue() {
    authority = new TlsFolder(folder.resolve("authority"));
    host = new TlsFolder(folder.resolve("host"));
    CertificateAuthority.create(authority, authority, "Test authority")
        .issue(host, "service", ADDRESS);
  }

  private static HttpClient trusting(TlsFolder trusted) throws Exception {
    return HttpClient.newBuilder().sslContext(trusted.context()).build();
  }

  private static HttpResponse<String> get(HttpClient client, String url, String... headers)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void whoTrustsTheAuthorityAndHasTheTokenLooksByTls() throws Exception {
    ObservedRun run = new ObservedRun();
    run.begin("r1", 7);
    WebAddress everywhere = WebAddress.parse("0.0.0.0:0").with(host);
    try (WebServer server = WebServer.start(everywhere, run, Map.of())) {
      assertThat(server.url()).startsWith("https://").contains("/?token=");
      URI printed = URI.create(server.url());
      String url = "https://" + ADDRESS + ":" + printed.getPort() + "/";
      String token = printed.getQuery().substring("token=".length());
      HttpClient client = trusting(authority);

      assertThat(get(client, url + "api/run").statusCode()).isEqualTo(401);
      HttpResponse<String> state = get(client, url + "api/run", "Authorization", "Bearer " + token);
      assertThat(state.body()).contains("\"robot\":\"r1\"");
      HttpResponse<String> kept = get(client, url + "?token=" + token);
      assertThat(kept.statusCode()).isEqualTo(303);
      assertThat(kept.headers().firstValue("Set-Cookie")).get().asString().contains("; Secure");
      assertThat(firstState(client, url.replace("https:", "wss:") + "ws?token=" + token))
          .contains("\"robot\":\"r1\"");

      TlsFolder others = new TlsFolder(folder.resolve("others"));
      CertificateAuthority.create(others, others, "Another authority");
      assertThatThrownBy(() -> get(trusting(others), url))
          .isInstanceOf(SSLHandshakeException.class);
      assertThatThrownBy(() -> get(client, url.replace("https:", "http:")))
          .as("without TLS")
          .isInstanceOf(IOException.class);
    }
  }

  private static String firstState(HttpClient client, String url) throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    WebSocket.Listener listener =
        new WebSocket.Listener() {
          private final StringBuilder text = new StringBuilder();

          @Override
          public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
              first.complete(text.toString());
            }
            socket.request(1);
            return null;
          }
        };
    WebSocket socket =
        client
            .newWebSocketBuilder()
            .subprotocols("cartostream.v1")
            .buildAsync(URI.create(url), listener)
            .get(60, TimeUnit.SECONDS);
    try {
      return first.get(60, TimeUnit.SECONDS);
    } finally {
      socket.abort();
    }
  }

  private Cartostream command(Object... arguments) {
    return Cartostream.run(new ShutdownRequest(), arguments);
  }

  @Test
  void aReplaySaysItsSecureAddress() {
    Path out = folder.resolve("out");
    Cartostream run =
        command(
            "replay",
            Logs.OFFICE,
            "--engine",
            "serial",
            "--limit",
            5,
            "--out",
            out,
            "--web=0",
            "--web-tls",
            host.folder());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("map and pose: https://127.0.0.1:");
  }

  @Test
  void aFolderWithoutACertificateIsNamed() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Cartostream run =
        command("replay", Logs.OFFICE, "--engine", "serial", "--web=0", "--web-tls", empty);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains(empty.resolve("certificate.pem").toString(), "an EC key in PKCS 8", "needed")
        .doesNotContain("\tat ");
  }

  /** Before anything is connected. */
  @Test
  void thePageOfASecuredBrokerIsNotServedToOthersWithoutTls() {
    Cartostream run =
        command(
            "web",
            "--broker",
            "amqps://observer.web@127.0.0.1:1",
            "--set",
            "broker.tls=" + host.folder(),
            "--web=0.0.0.0:0");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--web=0.0.0.0:0: the broker is secured", "--web-tls=DIR");
  }
}
