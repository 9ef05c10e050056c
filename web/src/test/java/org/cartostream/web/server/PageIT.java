package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.cartostream.web.state.ObservedRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** The page of a live run in a real browser. */
@Default
class PageIT {

  private static final long SECOND = 1_000_000_000L;

  private static final String SCALE_FITS =
      """
      const scale = document.getElementById('scale');
      return scale.scrollWidth <= scale.clientWidth && scale.clientHeight < 30;
      """;

  @TempDir private Path temp;

  /** Nanoseconds that the page's server takes for now. */
  private final AtomicLong now = new AtomicLong();

  private final ObservedRun state = new ObservedRun(now::get);
  private OfficeRun office;
  private WebServer server;
  private TestBrowser page;
  private ChromeDriver browser;

  @BeforeEach
  void open() throws IOException {
    page = TestBrowser.open(temp);
    browser = page.driver();
    office = new OfficeRun(state);
    server = WebServer.start(new WebAddress("127.0.0.1", 0), state, Map.of());
    browser.get(server.url());
  }

  @AfterEach
  void close() throws IOException {
    if (page != null) {
      page.close();
    }
    if (server != null) {
      server.close();
      office.close();
    }
  }

  private long tiles() {
    return page.number("data-tiles");
  }

  private String phase() {
    return browser.findElement(By.id("phase")).getText();
  }

  private String counts() {
    return browser.findElement(By.id("counts")).getText();
  }

  /** Within two seconds on a machine that does nothing else: how long it took is printed. */
  @Test
  void theFirstMapIsOnThePageAtOnce() throws Exception {
    await().until(() -> phase().startsWith("starting: 0 of 320 scans"));
    assertThat(counts()).contains("Neff –", "the latest took –");
    assertThat(browser.findElement(By.id("neff")).isDisplayed()).as("an empty diagram").isFalse();
    office.take(1);
    long start = System.nanoTime();
    await().pollInterval(Duration.ofMillis(20)).until(() -> tiles() > 0);
    System.out.printf(
        "the first tile is on the page after %d ms%n", (System.nanoTime() - start) / 1_000_000);
    office.take(150);
    await().until(() -> phase().equals("running: 151 of 320 scans"));
    assertThat(counts()).contains("the latest took 5.0 ms").doesNotContain("–");
    assertThat(browser.findElement(By.id("neff")).isDisplayed()).isTrue();
    page.screenshot("running");
    page.assertNoErrors();
  }

  /** Nobody knows how many readings a live robot will send, and it has sent none yet. */
  @Test
  void whatCanBeShownIsThereBeforeTheFirstReading() throws IOException {
    state.begin("r1", 0);
    await().until(() -> phase().equals("waiting for the first reading"));
    await().until(() -> browser.getTitle().startsWith("r1"));
    assertThat(shownLayers())
        .containsExactly(
            "robot", "95 % ellipse", "scan", "path", "particles", "loop edges", "corrections");
    assertThat(counts()).contains("processed 0", "Neff –");
    page.screenshot("waiting");
    page.assertNoErrors();
  }

  @Test
  void ofARunWithoutReadingsOnlyWhatItHasCanBeShown() {
    state.begin("r1", 0);
    state.result(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]), List.of());
    state.end("");
    await().until(() -> phase().equals("finished"));
    assertThat(shownLayers()).containsExactly("robot", "path");
    assertThat(counts()).isEmpty();
    page.assertNoErrors();
  }

  private List<String> shownLayers() {
    return browser.findElements(By.cssSelector("fieldset label")).stream()
        .filter(WebElement::isDisplayed)
        .map(WebElement::getText)
        .toList();
  }

  @Test
  void aLateViewerSeesThePixelsOfTheMapsFile() throws Exception {
    office.take(320);
    OccupancyGrid map = office.end();
    browser.navigate().refresh(); // It comes late: nothing of the run on the way is known to it.
    await().until(() -> phase().startsWith("finished: 320 of 320"));
    await().until(() -> tiles() > 0);
    page.screenshot("finished");
    List.of("robot", "scan", "path", "corrections", "loops").forEach(page::toggle);
    assertThat(page.canvasPixels(map)).isEqualTo(TestBrowser.filePixels(map, temp));
    page.assertNoErrors();
  }

  private static final Map<String, Pose> PLACES =
      Map.of("#ff8800", new Pose(2, 2, 0), "#0077cc", new Pose(3, 1, 0), "#cc00aa", Pose.ORIGIN);

  /** Particles of the tasks 0, 1 and 2; and a line that joins where loops were closed. */
  @Test
  void particlesHaveTheColoursOfTheirTasksAndLoopsAreLines() throws Exception {
    office.take(200);
    await().until(() -> tiles() > 0);
    List.of("robot", "scan", "path", "corrections").forEach(page::toggle);
    page.keys("0");
    state.particles(
        new ParticlesMessage(
            List.of(PLACES.get("#ff8800"), PLACES.get("#0077cc"), PLACES.get("#cc00aa")),
            List.of(0, 1, 2)),
        0);
    StampedPose from = new StampedPose(0, new Pose(-1, -2, 0));
    StampedPose to = new StampedPose(1, new Pose(1, -2, 0));
    state.loops(List.of(new ClosedLoop(from, to)), 0);
    PLACES.forEach(
        (colour, place) -> await().until(() -> page.colourAt(place.x(), place.y()).equals(colour)));
    String line = page.colourAt(0, -2);
    assertThat(isViolet(line)).as(line).isTrue();
    assertThat(counts()).contains("loop edges 1");
    page.screenshot("particles");
    List.of("particles", "loops").forEach(page::toggle);
    PLACES.forEach(
        (colour, place) -> assertThat(page.colourAt(place.x(), place.y())).isNotEqualTo(colour));
    assertThat(isViolet(page.colourAt(0, -2))).isFalse();
    page.assertNoErrors();
  }

  /** 2.4 m along, and 0.25 m across. */
  @Test
  void anEllipseIsDrawnAroundTheRobot() throws Exception {
    office.take(200);
    await().until(() -> tiles() > 0);
    page.keys("0");
    List.of("scan", "path").forEach(page::toggle);
    String along = page.colourAt(2, 0.1);
    String across = page.colourAt(0.1, 1);
    Scan scan = new Scan(Pose.ORIGIN, 0, 0.1, 0, 10, new float[] {2, 2});
    state.outcome(
        201,
        new Reading(1, Pose.ORIGIN, scan),
        new Outcome.Processed(
            new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 0)
                .withCovariance(SymmetricMatrix3.diagonal(1, 0.01, 0.01)),
            false,
            2_000_000L));
    await().until(() -> !page.colourAt(2, 0.1).equals(along));
    assertThat(page.colourAt(0.1, 1)).isEqualTo(across);
    page.screenshot("ellipse");
    page.toggle("ellipse");
    await().until(() -> page.colourAt(2, 0.1).equals(along));
    page.assertNoErrors();
  }

  @Test
  void particlesFadeInThreeSeconds() throws Exception {
    office.take(200);
    await().until(() -> tiles() > 0);
    List.of("robot", "scan", "path", "corrections").forEach(page::toggle);
    page.keys("0");
    String below = page.colourAt(2, 2);
    state.particles(new ParticlesMessage(List.of(new Pose(2, 2, 0)), List.of(0)), 0);
    await().until(() -> page.colourAt(2, 2).equals("#ff8800"));
    office.take(20);
    await().until(() -> phase().equals("running: 220 of 320 scans"));
    assertThat(page.colourAt(2, 2)).as("readings come fast").isEqualTo("#ff8800");
    now.addAndGet(SECOND);
    office.take(1);
    await().until(() -> phase().equals("running: 221 of 320 scans"));
    assertThat(page.colourAt(2, 2)).isNotIn("#ff8800", below);
    now.addAndGet(2 * SECOND);
    office.take(1);
    await().until(() -> phase().equals("running: 222 of 320 scans"));
    assertThat(page.colourAt(2, 2)).isEqualTo(below);
    page.assertNoErrors();
  }

  @Test
  void oneLongReadingDoesNotFlattenTheOthers() throws Exception {
    office.take(200);
    await().until(() -> phase().equals("running: 200 of 320 scans"));
    assertThat(browser.findElement(By.id("largest")).getText()).as("nothing is cut off").isEmpty();
    Scan scan = new Scan(Pose.ORIGIN, 0, 0.1, 0, 10, new float[] {2, 2});
    state.outcome(
        201,
        new Reading(1, Pose.ORIGIN, scan),
        new Outcome.Processed(
            new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 0), false, 2_000_000_000L));
    await()
        .until(
            () ->
                browser
                    .findElement(By.id("largest"))
                    .getText()
                    .equals("the largest, 2000 ms at reading 201, is cut off"));
    Object top = browser.executeScript("return window.cartostream.panel.millis.scales.y.max");
    assertThat(((Number) top).doubleValue()).as("of 5 ms each").isBetween(5.0, 6.0);
    page.screenshot("spike");
    page.assertNoErrors();
  }

  /** A thin line is mixed with what lies below it, which is grey. */
  private static boolean isViolet(String colour) {
    int rgb = Integer.parseInt(colour.substring(1), 16);
    int green = rgb >> 8 & 255;
    return (rgb >> 16) - green > 30 && (rgb & 255) - green > 30;
  }

  @Test
  void itWorksByKeyboardAndOnAPhone() throws Exception {
    office.take(200);
    await().until(() -> tiles() > 0);
    browser.manage().window().setSize(new Dimension(400, 850));
    assertThat(browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
        .as("nothing is wider than the screen")
        .isEqualTo(true);
    String follow = "return document.getElementById('follow').getAttribute('aria-pressed')";
    String zoom = "return window.cartostream.view.zoom";
    assertThat(browser.executeScript(follow)).isEqualTo("true");
    browser.executeScript("document.getElementById('map').focus()");
    page.keys("1");
    assertThat(((Number) browser.executeScript(zoom)).doubleValue()).isEqualTo(1);
    page.keys("+");
    assertThat(((Number) browser.executeScript(zoom)).doubleValue()).isEqualTo(1.25);
    page.keys(Keys.ARROW_LEFT);
    assertThat(browser.executeScript(follow)).isEqualTo("false");
    page.keys("1", "m", Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER);
    // An arrow moves the map by 60 pixels, of 0.05 m each.
    assertThat(browser.findElement(By.id("distance")).getText()).isEqualTo("3.00 m");
    for (int i = 0; i < 12; i++) { // By a factor of 15: all lengths that the scale has.
      page.keys("+");
      page.colourAt(0, 0); // It has been drawn.
      assertThat(browser.executeScript(SCALE_FITS)).as("the scale has its label").isEqualTo(true);
    }
    page.keys("0");
    page.screenshot("phone");
    page.assertNoErrors();
  }
}
