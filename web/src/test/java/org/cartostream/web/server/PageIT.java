package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.web.state.ObservedRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The page in a real browser. Screenshots are left in {@code target/screenshots}. */
class PageIT {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path SCREENSHOTS = Path.of("target/screenshots");

  @TempDir private Path temp;

  private final ObservedRun state = new ObservedRun();
  private OfficeRun office;
  private WebServer server;
  private ChromeDriver browser;

  @BeforeEach
  void open() throws IOException {
    assumeThat(Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER))
        .as("Chromium is here; on Debian: apt install chromium chromium-driver")
        .isTrue();
    office = new OfficeRun(state);
    server = WebServer.start(new WebAddress("127.0.0.1", 0), state, Map.of());
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu");
    options.addArguments("--user-data-dir=" + temp.resolve("browser"));
    options.setCapability("goog:loggingPrefs", logs);
    browser =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .build(),
            options);
    browser.manage().window().setSize(new Dimension(1400, 1000));
    browser.get(server.url());
  }

  @AfterEach
  void close() throws IOException {
    if (browser != null) {
      browser.quit();
    }
    if (server != null) {
      server.close();
      office.close();
    }
  }

  private long tiles() {
    String tiles = browser.findElement(By.id("map")).getDomAttribute("data-tiles");
    return tiles == null ? 0 : Long.parseLong(tiles);
  }

  private String phase() {
    return browser.findElement(By.id("phase")).getText();
  }

  private void screenshot(String name) throws IOException {
    Files.createDirectories(SCREENSHOTS);
    Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
  }

  private void assertNoErrors() {
    List<String> errors =
        browser.manage().logs().get(LogType.BROWSER).getAll().stream()
            .filter(each -> each.getLevel().intValue() >= Level.WARNING.intValue())
            .map(LogEntry::getMessage)
            .toList();
    assertThat(errors).as("what the browser's console has").isEmpty();
  }

  /** Within two seconds on a machine that does nothing else: how long it took is printed. */
  @Test
  void theFirstMapIsOnThePageAtOnce() throws Exception {
    await().until(() -> phase().startsWith("waiting for the first reading"));
    office.take(1);
    long start = System.nanoTime();
    await().pollInterval(Duration.ofMillis(20)).until(() -> tiles() > 0);
    System.out.printf(
        "the first tile is on the page after %d ms%n", (System.nanoTime() - start) / 1_000_000);
    office.take(150);
    await().until(() -> phase().equals("running: 151 of 320 scans"));
    screenshot("running");
    assertNoErrors();
  }

  @Test
  void aLateViewerSeesThePixelsOfTheMapsFile() throws Exception {
    office.take(320);
    OccupancyGrid map = office.end();
    browser.navigate().refresh(); // It comes late: nothing of the run on the way is known to it.
    await().until(() -> phase().startsWith("finished: 320 of 320"));
    await().until(() -> tiles() > 0);
    screenshot("finished");
    for (String layer : List.of("robot", "scan", "path", "corrections")) {
      browser.findElement(By.id("layer-" + layer)).click();
    }
    assertThat(canvasPixels(map)).isEqualTo(filePixels(map));
    assertNoErrors();
  }

  /** At one pixel a cell; row by row from above. */
  private byte[] canvasPixels(OccupancyGrid map) {
    Object base64 =
        browser.executeAsyncScript(
            """
            const done = arguments[0];
            const { view, bounds, redraw } = window.cartostream;
            document.getElementById('follow').getAttribute('aria-pressed') === 'true'
              && document.getElementById('follow').click();
            const { column, row, width, height } = bounds();
            view.zoomTo(1);
            view.centre(column + width / 2, row + height / 2);
            redraw();
            requestAnimationFrame(() => requestAnimationFrame(() => {
              const context = document.getElementById('map').getContext('2d');
              const image = context.getImageData(
                view.pixelX(column), view.pixelY(row + height), width, height).data;
              let text = '';
              for (let i = 0; i < image.length; i += 4) text += String.fromCharCode(image[i]);
              done(btoa(text));
            }));
            """);
    byte[] pixels = Base64.getDecoder().decode((String) base64);
    assertThat(pixels).hasSize(map.width() * map.height());
    return pixels;
  }

  private byte[] filePixels(OccupancyGrid map) throws IOException {
    MapFiles.write(map, temp);
    byte[] file = Files.readAllBytes(temp.resolve(MapFiles.PICTURE));
    String head = new String(file, 0, 200, StandardCharsets.ISO_8859_1);
    int from = head.indexOf("\n255\n") + "\n255\n".length();
    return Arrays.copyOfRange(file, from, file.length);
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
    keys("1");
    assertThat(((Number) browser.executeScript(zoom)).doubleValue()).isEqualTo(1);
    keys("+");
    assertThat(((Number) browser.executeScript(zoom)).doubleValue()).isEqualTo(1.25);
    keys(Keys.ARROW_LEFT);
    assertThat(browser.executeScript(follow)).isEqualTo("false");
    keys("1", "m", Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER);
    // An arrow moves the map by 60 pixels, of 0.05 m each.
    assertThat(browser.findElement(By.id("distance")).getText()).isEqualTo("3.00 m");
    keys("0");
    screenshot("phone");
    assertNoErrors();
  }

  private void keys(CharSequence... keys) {
    new Actions(browser).sendKeys(keys).perform();
  }
}
