package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.ros.bag.McapMessage;
import org.cartostream.ros.bag.McapReader;
import org.cartostream.ros.message.RosString;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Nightly;
import org.cartostream.web.playback.Labels;
import org.cartostream.web.playback.OtherPath;
import org.cartostream.web.playback.Playback;
import org.cartostream.web.playback.RecordedRun;
import org.cartostream.web.recording.RunRecorder;
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

/** The page of a recorded run in a real browser. */
@Nightly
class PlaybackIT {

  private static final int READINGS = 320;
  private static final int BETWEEN_MAPS = 10;

  /** So many readings have neither particles nor loops; the tenth then has. */
  private static final int CLOUD = 100;

  private static final String FREE = "#fefefe";

  private static final String SIDE_FITS =
      """
      const side = document.querySelector('aside');
      return side.scrollHeight > side.clientHeight && side.scrollWidth <= side.clientWidth;
      """;

  private static final Pose PARTICLE = new Pose(2, 2, 0);
  private static final StampedPose LOOP_FROM = new StampedPose(0, new Pose(-1, -2, 0));
  private static final StampedPose LOOP_TO = new StampedPose(1, new Pose(1, -2, 0));

  @TempDir private Path folder;

  private OccupancyGrid last;
  private RecordedRun recording;
  private WebServer server;
  private TestBrowser page;
  private ChromeDriver browser;

  @BeforeEach
  void open() throws Exception {
    page = TestBrowser.open(folder);
    browser = page.driver();
    Path file = folder.resolve(RunRecorder.FILE);
    RunRecorder recorder = new RunRecorder(file, notice -> {});
    try (OfficeRun office = new OfficeRun(recorder)) {
      for (int taken = 0; taken < READINGS; taken += BETWEEN_MAPS) {
        office.take(BETWEEN_MAPS);
        if (taken == CLOUD) {
          recorder.particles(
              new ParticlesMessage(List.of(PARTICLE), List.of(1)), office.stampNanos());
          recorder.loops(List.of(new ClosedLoop(LOOP_FROM, LOOP_TO)), 0);
        }
      }
      last = office.end();
    }
    recording = RecordedRun.open(file);
    List<StampedPose> shifted =
        recording.path().stream()
            .map(each -> new StampedPose(each.stampNanos(), each.pose().then(new Pose(1, 1, 0))))
            .toList();
    Playback playback =
        new Playback(
            "office",
            recording,
            List.of(
                new OtherPath("reference", true, recording.path()),
                new OtherPath("another run", false, shifted)),
            Labels.of(folder));
    server = WebServer.start(new WebAddress("127.0.0.1", 0), new ObservedRun(), playback);
  }

  @AfterEach
  void close() throws IOException {
    if (page != null) {
      page.close();
    }
    if (server != null) {
      server.close();
      recording.close();
    }
  }

  private void awaitStep(long step) {
    await().until(() -> page.number("data-step") == step);
  }

  private void show(String query) {
    browser.get(server.url() + query);
  }

  private void seek(long step) {
    browser.executeScript("window.cartostream.player.seek(" + step + ")");
    awaitStep(step);
  }

  private byte[] cells() {
    Object text =
        browser.executeScript(
            """
            let text = '';
            for (const cell of window.cartostream.cells()) text += String.fromCharCode(cell & 255);
            return btoa(text);
            """);
    return Base64.getDecoder().decode((String) text);
  }

  /** By the number of the newest reading: the hash that was recorded then. */
  private List<String> recordedHashes() throws IOException {
    List<String> hashes = new ArrayList<>();
    try (McapReader file = McapReader.open(folder.resolve(RunRecorder.FILE))) {
      String newest = "";
      for (McapMessage each = file.next(); each != null; each = file.next()) {
        if (each.topic().equals("/scan")) {
          hashes.add(newest);
        }
        if (each.topic().equals("/cartostream/map_state")) {
          JsonNode state = new ObjectMapper().readTree(each.as(RosString.TYPE).data());
          newest = state.get("sha256").asText();
          hashes.set(state.get("reading").asInt() - 1, newest);
        }
      }
    }
    return hashes;
  }

  @Test
  void atAnyReadingThePageHasTheCellsThatWereSentThen() throws Exception {
    show("?t=0");
    awaitStep(0);
    List<String> hashes = recordedHashes();
    assertThat(hashes).hasSize(READINGS);
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    for (int reading : new int[] {10, 60, 61, 320, 300, 5 * BETWEEN_MAPS, 319, 20, 200}) {
      seek(reading - 1);
      assertThat(HexFormat.of().formatHex(sha256.digest(cells())))
          .as("reading " + reading)
          .isEqualTo(hashes.get(reading - 1));
    }
    page.assertNoErrors();
  }

  @Test
  void atTheLastReadingItHasThePixelsOfTheMapsFile() throws Exception {
    show("");
    awaitStep(READINGS - 1);
    page.screenshot("playback");
    assertThat(browser.executeScript(SIDE_FITS))
        .as("nothing is wider than the side")
        .isEqualTo(true);
    List.of("robot", "scan", "path", "corrections", "others", "particles", "loops")
        .forEach(page::toggle);
    assertThat(page.canvasPixels(last)).isEqualTo(TestBrowser.filePixels(last, folder));
    page.assertNoErrors();
  }

  @Test
  void particlesAndLoopsAreThoseOfTheMoment() throws Exception {
    show("");
    awaitStep(READINGS - 1);
    List.of("robot", "scan", "path", "corrections", "others").forEach(page::toggle);
    page.keys("0");
    seek(CLOUD + BETWEEN_MAPS - 1);
    assertThat(page.colourAt(2, 2)).as("of task 1").isEqualTo("#0077cc");
    String line = page.colourAt(0, -2);
    page.screenshot("playback-particles");
    seek(CLOUD + 2 * BETWEEN_MAPS - 1);
    String tenfold = page.colourAt(2, 2);
    assertThat(tenfold).as("five seconds are half a one at ten times").isNotIn("#0077cc", FREE);
    browser.findElement(By.cssSelector("#speed option[value='1']")).click();
    await().until(() -> page.colourAt(2, 2).equals(FREE));
    seek(CLOUD + BETWEEN_MAPS + 1);
    assertThat(page.colourAt(2, 2)).as("a second later").isNotIn("#0077cc", FREE, tenfold);
    assertThat(page.colourAt(0, -2)).as("loops stay").isEqualTo(line);
    seek(CLOUD - 1);
    assertThat(page.colourAt(2, 2)).as("before it came").isNotEqualTo("#0077cc");
    assertThat(page.colourAt(0, -2)).as("before it was closed").isNotEqualTo(line);
    page.assertNoErrors();
  }

  @Test
  void aLinkOpensAtItsMoment() throws Exception {
    show("");
    awaitStep(READINGS - 1);
    seek(123);
    browser.findElement(By.id("link")).click();
    await().until(() -> !browser.findElement(By.id("linked")).getText().isEmpty());
    String link = browser.getCurrentUrl();
    assertThat(link).contains("?t=");
    browser.get("about:blank");
    browser.get(link);
    awaitStep(123);
    page.screenshot("moment");
    page.assertNoErrors();
  }

  @Test
  void itPlaysToTheEndAndWorksByKeyboard() throws Exception {
    show("?t=0");
    awaitStep(0);
    browser.executeScript("document.getElementById('map').focus()");
    page.keys(".", ".", ".", ",");
    awaitStep(2);
    page.keys(Keys.END);
    awaitStep(READINGS - 1);
    page.keys(Keys.HOME);
    awaitStep(0);
    page.keys(">", ">", " ");
    assertThat(browser.findElement(By.id("play")).getText()).isEqualTo("pause");
    awaitStep(READINGS - 1);
    await().until(() -> browser.findElement(By.id("play")).getText().equals("play"));
    browser.manage().window().setSize(new Dimension(400, 850));
    assertThat(browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
        .as("nothing is wider than the screen")
        .isEqualTo(true);
    page.screenshot("playback-phone");
    page.assertNoErrors();
  }

  @Test
  void aLabelIsKeptAndLeadsToItsMoment() throws Exception {
    show("");
    awaitStep(READINGS - 1);
    seek(40);
    WebElement field = browser.findElement(By.id("label-text"));
    field.sendKeys("the <b>door</b>", Keys.ENTER);
    await().until(() -> browser.findElements(By.cssSelector("#label-list li")).size() == 1);
    assertThat(Files.readString(folder.resolve(Labels.FILE))).contains("the <b>door</b>");
    show("");
    awaitStep(READINGS - 1);
    browser.findElement(By.cssSelector("#label-list button")).click();
    awaitStep(40);
    browser.findElements(By.cssSelector("#label-list button")).get(1).click();
    await().until(() -> browser.findElements(By.cssSelector("#label-list li")).isEmpty());
    page.assertNoErrors();
  }
}
