package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.ResponseFeed;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Nightly;
import org.cartostream.web.fleet.ObservedFleet;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;

/** Two robots of one broker on a page, in a real browser. */
@Nightly
class FleetPageIT {

  @TempDir private Path temp;

  private final ShownRuns runs = new ShownRuns();
  private final Supervision supervision = new Supervision();
  private EmbeddedBroker broker;
  private BrokerConnection service;
  private ResponseFeed answers;
  private WebServer server;
  private TestBrowser page;

  @BeforeEach
  void open() throws IOException {
    page = TestBrowser.open(temp);
    broker = EmbeddedBroker.start();
    BrokerSettings settings = Settings.build(BrokerSettings.class, Map.of("uri", broker.uri()));
    service = BrokerConnection.open(settings, "a service", BrokerListener.NONE);
    ObservedFleet fleet = new ObservedFleet(runs, supervision);
    answers = ResponseFeed.open(settings, BrokerNames.EVERY_ANSWER, fleet, fleet);
    server = WebServer.start(new WebAddress("127.0.0.1", 0), runs, supervision);
  }

  @AfterEach
  void close() {
    if (page != null) {
      page.close();
    }
    if (broker != null) {
      answers.close();
      service.close();
      server.close();
      broker.close();
    }
  }

  private void answer(String robot, double x) {
    Outcome outcome =
        new Outcome.Processed(
            new RobotPose(new Pose(x, 0, 0), Correction.NONE, 5, 0), false, 1_000_000);
    OccupancyGrid map = new OccupancyGrid(64, 32, 0.05, 0, 0, new byte[64 * 32]);
    service.publish(new Envelope(robot, 1, 1, 1, OutcomeMessage.now(outcome, 0)));
    service.publish(new Envelope(robot, 1, 1, 1, MapMessage.of(map, 0)));
  }

  /** The page loads anew when it changes its robot: an element that was found may be gone. */
  private void awaitRobot(String robot) {
    await()
        .ignoreException(StaleElementReferenceException.class)
        .until(() -> page.driver().findElement(By.id("robot")).getText().equals(robot));
  }

  @Test
  void robotsAreFoundAndChosenAndAnOutageIsSaid() throws Exception {
    page.driver().get(server.url());
    await().until(() -> page.driver().findElement(By.id("phase")).getText().startsWith("waiting"));
    answer("tb-one", 1);
    awaitRobot("tb-one");
    await().until(() -> page.number("data-tiles") > 0);
    answer("tb-two", 2);
    answer("tb-one", 1);
    page.driver().navigate().refresh();
    await().until(() -> page.driver().findElement(By.id("robots")).isDisplayed());
    // The page loads anew when it learns of its first robot: a list that was found may be gone.
    await()
        .ignoreException(StaleElementReferenceException.class)
        .untilAsserted(
            () ->
                page.driver().findElement(By.cssSelector("#robots option[value=tb-two]")).click());
    awaitRobot("tb-two");
    page.screenshot("fleet");
    page.assertNoErrors();
    broker.close();
    broker = null;
    await()
        .until(
            () -> page.driver().findElement(By.id("phase")).getText().contains("to the broker at"));
    answers.close();
    service.close();
    server.close();
    assertThat(runs.robots()).containsExactly("tb-one", "tb-two");
  }
}
