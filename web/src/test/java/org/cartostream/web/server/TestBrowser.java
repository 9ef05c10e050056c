package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A real browser that shows a page of ours. Screenshots are left in {@code target/screenshots}.
 * Owns the browser's process.
 */
public final class TestBrowser implements AutoCloseable {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path CERTUTIL = Path.of("/usr/bin/certutil");
  private static final Path SCREENSHOTS = Path.of("target/screenshots");

  private final ChromeDriver driver;

  private TestBrowser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Opens one, or skips the test where there is none. */
  public static TestBrowser open(Path temp, String... arguments) {
    return open(temp, Map.of(), arguments);
  }

  /**
   * Opens one that trusts an authority besides those that it knows, as somebody has it who was
   * given its certificate; or skips the test where there is no tool to tell it.
   *
   * @param authority a certificate in PEM
   */
  public static TestBrowser openTrusting(Path authority, Path temp) throws Exception {
    assumeThat(Files.isExecutable(CERTUTIL))
        .as("certutil is here; on Debian: apt install libnss3-tools")
        .isTrue();
    Path home = temp.resolve("home");
    Path store = Files.createDirectories(home.resolve(".pki/nssdb"));
    certutil("-d", "sql:" + store, "-N", "--empty-password");
    certutil("-d", "sql:" + store, "-A", "-n", "ours", "-t", "C,,", "-i", "" + authority);
    return open(temp, Map.of("HOME", home.toString()));
  }

  private static void certutil(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(CERTUTIL.toString()));
    command.addAll(List.of(arguments));
    Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tool.waitFor()).as(said).isZero();
  }

  private static TestBrowser open(Path temp, Map<String, String> environment, String... arguments) {
    assumeThat(Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER))
        .as("Chromium is here; on Debian: apt install chromium chromium-driver")
        .isTrue();
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setAcceptInsecureCerts(false); // Selenium accepts any else.
    options.setBinary(CHROMIUM.toString());
    options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu");
    options.addArguments("--user-data-dir=" + temp.resolve("browser"));
    options.addArguments(arguments);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriver driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .usingAnyFreePort()
                .withEnvironment(environment)
                .build(),
            options);
    driver.manage().window().setSize(new Dimension(1400, 1000));
    return new TestBrowser(driver);
  }

  public ChromeDriver driver() {
    return driver;
  }

  /** What the page tells tests beside its map; 0 if it does not. */
  public long number(String attribute) {
    String number = driver.findElement(By.id("map")).getDomAttribute(attribute);
    return number == null ? 0 : Long.parseLong(number);
  }

  public void screenshot(String name) throws IOException {
    Files.createDirectories(SCREENSHOTS);
    Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  public void assertNoErrors() {
    List<String> errors =
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
            .filter(each -> each.getLevel().intValue() >= Level.WARNING.intValue())
            .map(LogEntry::getMessage)
            .toList();
    assertThat(errors).as("what the browser's console has").isEmpty();
  }

  void keys(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** At one pixel a cell; row by row from above. */
  byte[] canvasPixels(OccupancyGrid map) {
    Object base64 =
        driver.executeAsyncScript(
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

  /**
   * What is drawn at a place of the map, when the next frame is drawn.
   *
   * @param x metres in the map frame, as y
   * @return {@code #rrggbb}
   */
  String colourAt(double x, double y) {
    return (String)
        driver.executeAsyncScript(
            """
            const [x, y, done] = arguments;
            const { view, redraw, metresPerCell } = window.cartostream;
            redraw();
            requestAnimationFrame(() => requestAnimationFrame(() => {
              const at = [view.pixelX(x / metresPerCell()), view.pixelY(y / metresPerCell())];
              // Chromium warns of a canvas that is read often, unless it was made for that.
              const often = { willReadFrequently: true };
              const pixel = new OffscreenCanvas(1, 1).getContext('2d', often);
              pixel.drawImage(
                  document.getElementById('map'), ...at.map(Math.round), 1, 1, 0, 0, 1, 1);
              const [r, g, b] = pixel.getImageData(0, 0, 1, 1).data;
              done('#' + [r, g, b].map((each) => each.toString(16).padStart(2, '0')).join(''));
            }));
            """,
            x,
            y);
  }

  /** Has a layer drawn that is not, or not drawn that is. */
  void toggle(String layer) {
    driver.findElement(By.id("layer-" + layer)).click();
  }

  /** The same of the file that a run writes. */
  static byte[] filePixels(OccupancyGrid map, Path temp) throws IOException {
    MapFiles.write(map, temp);
    byte[] file = Files.readAllBytes(temp.resolve(MapFiles.PICTURE));
    String head = new String(file, 0, 200, StandardCharsets.ISO_8859_1);
    int from = head.indexOf("\n255\n") + "\n255\n".length();
    return Arrays.copyOfRange(file, from, file.length);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
