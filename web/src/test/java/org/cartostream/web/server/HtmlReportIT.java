package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Nightly;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.playback.HtmlReport;
import org.cartostream.web.playback.Labels;
import org.cartostream.web.playback.OtherPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** A run as one file, from disk, in a real browser that has no network. */
@Nightly
class HtmlReportIT {

  private static final int READINGS = 320;

  /** It ends a script, and begins what a browser would run. */
  private static final String NAME = "office</script><img src=x onerror=alert(1)>";

  @TempDir private Path folder;

  private final Path file = Path.of("report.html");
  private List<StampedPose> path;
  private OccupancyGrid map;
  private TestBrowser page;
  private ChromeDriver browser;

  @BeforeEach
  void write() throws Exception {
    page = TestBrowser.open(folder);
    browser = page.driver();
    RunObserver result =
        new RunObserver() {
          @Override
          public void result(OccupancyGrid last, List<PathPose> whole) {
            path =
                whole.stream()
                    .map(each -> new StampedPose(each.stampNanos(), each.pose()))
                    .toList();
          }
        };
    try (OfficeRun office = new OfficeRun(result)) {
      office.take(READINGS);
      map = office.end();
    }
    Files.writeString(
        folder.resolve(Labels.FILE), "[{\"seconds\": 20, \"text\": \"a <b>door</b>\"}]");
    new HtmlReport(
            NAME,
            map,
            path,
            List.of(List.of("driven", "79 m"), List.of("readings", "320")),
            Labels.of(folder),
            List.of(new OtherPath("reference", true, path)))
        .write(folder.resolve(file));
    browser.executeCdpCommand("Network.enable", Map.of());
    browser.executeCdpCommand(
        "Network.emulateNetworkConditions",
        Map.of("offline", true, "latency", 0, "downloadThroughput", 0, "uploadThroughput", 0));
  }

  @AfterEach
  void close() {
    if (page != null) {
      page.close();
    }
  }

  private void open(String query) {
    browser.get(folder.resolve(file).toUri() + query);
  }

  private void awaitStep(long step) {
    await().until(() -> page.number("data-step") == step);
  }

  @Test
  void itShowsTheMapTheWayAndTheFiguresWithoutANetwork() throws Exception {
    open("");
    awaitStep(READINGS - 1);
    assertThat(browser.findElement(By.id("robot")).getText()).isEqualTo(NAME);
    assertThat(browser.findElement(By.id("figures")).getText())
        .contains("driven 79 m", "readings 320");
    assertThat(browser.findElement(By.id("label-list")).getText()).contains("a <b>door</b>");
    assertThat(
            browser.executeScript(
                """
                return performance.getEntriesByType('resource').map((each) => each.name)
                  .filter((name) => !name.startsWith('data:')).join();
                """))
        .as("what it asked for elsewhere")
        .isEqualTo("");
    page.screenshot("report");
    assertThat(
            browser.findElements(By.cssSelector("[id^=layer-]")).stream()
                .filter(WebElement::isDisplayed)
                .map(each -> each.getDomAttribute("id")))
        .as("layers that it has")
        .containsExactly("layer-robot", "layer-path", "layer-others");
    for (String layer : List.of("robot", "path", "others")) {
      browser.findElement(By.id("layer-" + layer)).click();
    }
    assertThat(page.canvasPixels(map)).isEqualTo(TestBrowser.filePixels(map, folder));
    page.assertNoErrors();
  }

  @Test
  void itPlaysAlongThePathAndOpensAtAMoment() throws Exception {
    open("?t=10");
    await().until(() -> page.number("data-step") > 0);
    long step = page.number("data-step");
    assertThat((path.get((int) step).stampNanos() - path.get(0).stampNanos()) / 1e9)
        .isLessThanOrEqualTo(10.0005);
    assertThat((path.get((int) step + 1).stampNanos() - path.get(0).stampNanos()) / 1e9)
        .isGreaterThan(10);
    browser.executeScript("document.getElementById('map').focus()");
    page.keys(Keys.HOME, ">", ">", " ");
    awaitStep(READINGS - 1);
    page.assertNoErrors();
  }
}
