package org.cartostream.deploy.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Nightly;
import org.cartostream.web.server.TestBrowser;
import org.cartostream.web.server.WebAddress;
import org.cartostream.web.server.WebServer;
import org.cartostream.web.state.ObservedRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** The page by HTTPS in a real browser, with what {@code cluster up --secure} makes for a host. */
@Nightly(cluster = true)
class SecurePageIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private final ObservedRun run = new ObservedRun();
  private TlsFolder certificates;
  private WebServer server;

  /** At all addresses, as for others: so there is a token. */
  @BeforeEach
  void serve() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ClusterSpec cluster = ClusterSpec.onThisMachine(1, true, 256);
    home.claim();
    home.create(cluster);
    new ClusterCertificates(home).create(cluster);
    Host host = cluster.hosts().get(0);
    certificates = new ClusterCertificates(home).of(host);
    assertThat(certificates.folder())
        .as("as docs/web.md has it")
        .isEqualTo(home.folder().resolve(host.name()).resolve("tls"));
    server = WebServer.start(WebAddress.parse("0.0.0.0:0").with(certificates), run, Map.of());
    run.begin("tb3", 0);
    run.map(new OccupancyGrid(64, 32, 0.05, 0, 0, new byte[64 * 32]), 0, 0);
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  /** By the host's address as the certificate names it, with the token that was printed. */
  private String url() {
    URI printed = URI.create(server.url());
    return "https://127.0.0.1:" + printed.getPort() + "/?" + printed.getQuery();
  }

  /** The page's WebSocket brings the map. */
  @Test
  void whoTrustsTheClustersAuthoritySeesThePage() throws Exception {
    try (TestBrowser page =
        TestBrowser.openTrusting(certificates.authority(), folder.resolve("trusting"))) {
      page.driver().get(url());
      await()
          .atMost(LONG)
          .until(() -> page.driver().findElement(By.id("robot")).getText().equals("tb3"));
      await().atMost(LONG).until(() -> page.number("data-tiles") > 0);
      assertThat(page.driver().getCurrentUrl()).startsWith("https://").doesNotContain("token");
      assertThat(page.driver().executeScript("return window.isSecureContext")).isEqualTo(true);
      assertThat(page.driver().manage().getCookies())
          .isNotEmpty()
          .allMatch(each -> each.isSecure() && each.isHttpOnly());
      page.screenshot("secure");
      page.assertNoErrors();
    }
  }

  @Test
  void whoDoesNotIsWarned() throws Exception {
    try (TestBrowser page = TestBrowser.open(folder.resolve("stranger"))) {
      page.driver().get(url());
      assertThat(page.driver().getPageSource()).contains("ERR_CERT_AUTHORITY_INVALID");
      assertThat(page.driver().findElements(By.id("robot"))).isEmpty();
    }
  }
}
