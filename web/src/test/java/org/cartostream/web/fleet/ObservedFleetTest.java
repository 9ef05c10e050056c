package org.cartostream.web.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.state.ViewerFeed;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.junit.jupiter.api.Test;

@Quick
class ObservedFleetTest {

  private final ShownRuns runs = new ShownRuns();
  private final Supervision supervision = new Supervision();
  private final ObservedFleet fleet = new ObservedFleet(runs, supervision);

  private void receive(String robot, long run, long number, Message message) {
    boolean[] acknowledged = {false};
    fleet.received(new Envelope(robot, run, number, number, message), () -> acknowledged[0] = true);
    assertThat(acknowledged[0]).isTrue();
  }

  private static OutcomeMessage processed(double x) {
    return new OutcomeMessage(
        new Outcome.Processed(
            new RobotPose(new Pose(x, 0, 0), Correction.NONE, 9, 0), false, 1_000_000),
        0,
        0);
  }

  private JsonNode state(String robot) throws IOException {
    return new ObjectMapper().readTree(ViewerFeed.whole(runs.run(robot).orElseThrow()));
  }

  @Test
  void eachRobotHasItsOwnStateWhicheverAnswerComesFirst() throws IOException {
    receive("two", 7, 1, processed(2));
    receive("one", 5, 1, processed(1));
    receive("two", 7, 2, processed(2.5));
    receive("two", 7, 2, processed(2.5)); // Again, after a restore.
    receive("two", 7, 3, new OutcomeMessage(new Outcome.Refused("X", "no"), 0, 0));
    assertThat(runs.robots()).containsExactly("one", "two");
    assertThat(state("one").at("/counts/processed").asInt()).isEqualTo(1);
    assertThat(state("two").at("/counts/processed").asInt()).isEqualTo(2);
    assertThat(state("two").at("/counts/refused").asInt()).isEqualTo(1);
    assertThat(state("two").at("/pose/0").asDouble()).isEqualTo(2.5);
    assertThat(runs.run("three")).isEmpty();
    fleet.onDown("the broker is away");
    assertThat(state("one").get("trouble").asText()).isEqualTo("the broker is away");
    fleet.onUp();
    assertThat(state("one").get("trouble").asText()).isEmpty();
  }

  @Test
  void particlesAreThoseThatCameLastWithTheirTasks() throws IOException {
    receive("one", 5, 1, processed(1));
    receive("one", 5, 1, new ParticlesMessage(List.of(new Pose(9, 9, 9)), List.of(0)));
    receive(
        "one",
        5,
        2,
        new ParticlesMessage(List.of(new Pose(1, 2, 3), new Pose(-1.5, 0, 0)), List.of(1, 0)));
    assertThat(state("one").get("particles").toString()).isEqualTo("[1.0,2.0,-1.5,0.0]");
    assertThat(state("one").get("particleTasks").toString()).isEqualTo("[1,0]");
    StampedPose moment = new StampedPose(7, new Pose(4, 5, 6));
    receive("one", 5, 2, new LoopsMessage(List.of(new ClosedLoop(moment, moment))));
    assertThat(state("one").get("loops").toString()).isEqualTo("[4.0,5.0,4.0,5.0]");
    receive("one", 6, 1, processed(1));
    assertThat(state("one").get("particles")).isEmpty();
    assertThat(state("one").get("loops")).isEmpty();
  }

  /** A service may be called as a robot is. */
  @Test
  void aProcessOfTheServiceIsNoRobot() {
    receive("one", 5, 1, processed(1));
    WorkerMessage.Task task = new WorkerMessage.Task("Publisher", 0, 0, List.of(), 0);
    receive("one", 0, 1, new WorkerMessage("one", "host", 7, 7, List.of(task)));
    receive("two", 0, 1, new WorkerMessage("two", "host", 8, 8, List.of(task)));
    assertThat(runs.robots()).containsExactly("one");
    assertThat(supervision.tree().services()).hasSize(2);
    fleet.onDown("the broker is away");
    assertThat(supervision.tree().trouble()).isEqualTo("the broker is away");
    fleet.onUp();
    assertThat(supervision.tree().trouble()).isEmpty();
  }

  @Test
  void aNewRunOfARobotBeginsAnew() throws IOException {
    receive("one", 5, 1, processed(1));
    receive("one", 6, 1, processed(3));
    assertThat(state("one").at("/counts/processed").asInt()).isEqualTo(1);
    assertThat(state("one").at("/path/numbers")).hasSize(2);
  }

  @Test
  void aRunThatTheServiceDropsBeginsNothing() throws IOException {
    receive("r1", 1, 1, processed(1));
    receive("r1", 2, 1, new DroppedMessage("too many runs"));
    receive("r1", 1, 2, processed(2));
    receive("r2", 1, 1, new DroppedMessage("too many runs"));
    assertThat(state("r1").at("/counts/processed").asInt()).isEqualTo(2);
    assertThat(runs.robots()).containsExactly("r1");
  }

  @Test
  void aRunEndsWithItsPathAndSaysWhyItBroke() throws IOException {
    receive("one", 5, 1, processed(1));
    List<PathPose> path =
        List.of(new PathPose(1, 1, Pose.ORIGIN), new PathPose(2, 2, new Pose(4, 5, 0)));
    receive("one", 5, 2, new TrajectoryMessage(1, 2, path.subList(1, 2)));
    receive("one", 5, 2, new TrajectoryMessage(0, 2, path.subList(0, 1)));
    receive("one", 5, 2, MapMessage.ofEnd(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1])));
    assertThat(state("one").at("/path/numbers").toString()).isEqualTo("[0.0,0.0,4.0,5.0]");
    receive("one", 5, 2, finished("a task is gone"));
    assertThat(state("one").get("phase").asText()).isEqualTo("failed");
    assertThat(state("one").get("failure").asText()).isEqualTo("a task is gone");
  }

  private static FinishedMessage finished(String failure) {
    return new FinishedMessage(
        1,
        0,
        0,
        Map.of(),
        0,
        0,
        0,
        0,
        null,
        1,
        null,
        FinishedMessage.RecoveryReport.NONE,
        null,
        0,
        failure);
  }

  @Test
  void moreRobotsThanFitAreNotShownAndHoldUpNobody() throws IOException {
    for (int i = 0; i <= ShownRuns.MAX; i++) {
      receive("r" + i, 1, 1, processed(i));
    }
    assertThat(runs.robots()).hasSize(ShownRuns.MAX).doesNotContain("r" + ShownRuns.MAX);
    receive("r0", 1, 2, processed(9));
    assertThat(state("r0").at("/counts/processed").asInt()).isEqualTo(2);
  }

  // --- maps ------------------------------------------------------------------------------------

  private final List<OccupancyGrid> shown = new ArrayList<>();

  private final ResponseTranslator translator =
      new ResponseTranslator(
          new RunObserver() {
            @Override
            public void map(OccupancyGrid map, int correction, long stampNanos) {
              shown.add(map);
            }
          });

  private void receive(long number, Message message) {
    translator.take(new Envelope("one", 1, number, number, message));
  }

  /** What a robot is sent that holds some of the versions before, as the service makes it. */
  @Test
  void whoIsThereFromTheBeginningHasTheMapOfTheService() {
    long seed = 5;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    MapHistory history = new MapHistory();
    byte[] cells = new byte[200 * 100];
    for (int version = 1; version <= 30; version++) {
      cells = cells.clone();
      for (int i = 0; i < 20; i++) {
        cells[random.nextInt(cells.length)] = 100;
      }
      OccupancyGrid map = new OccupancyGrid(200, 100, 0.05, -5, -2.5, cells);
      history.update(map, version, 0);
      receive(version, history.since(version <= 2 ? 0 : version - 1 - random.nextInt(2)));
      assertThat(shown.get(version - 1).cells()).isEqualTo(cells);
    }
  }

  @Test
  void whoComesLateHasWhatChangesFromThenOn() {
    MapHistory history = new MapHistory();
    byte[] cells = new byte[200 * 100];
    history.update(new OccupancyGrid(200, 100, 0.05, 0, 0, cells), 1, 0);
    byte[] changed = cells.clone();
    changed[0] = 100;
    history.update(new OccupancyGrid(200, 100, 0.05, 0, 0, changed), 2, 0);
    receive(2, history.since(1));
    OccupancyGrid map = shown.get(0);
    assertThat(map.at(0, 0)).isEqualTo((byte) 100);
    assertThat(map.at(199, 99)).isEqualTo(OccupancyGrid.UNKNOWN);
    receive(1, MapMessage.of(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]), 0));
    assertThat(shown).as("an older one that comes later").hasSize(1);
    receive(2, new MapMessage.ForObservers(history.since(0)));
    assertThat(shown.get(1).cells()).as("until it is sent whole").isEqualTo(changed);
  }

  /** No other map comes of it. */
  @Test
  void ofARobotThatIsLocalisedTheKnownMapIsShown() {
    byte[] cells = {100, 0, -1, 0};
    OccupancyGrid known = new OccupancyGrid(2, 2, 0.05, -1, 0, cells);
    receive(7, new MapMessage.ForObservers(MapMessage.of(known, 0)));
    assertThat(shown.get(0).cells()).isEqualTo(cells);
    assertThat(shown.get(0).originX()).isEqualTo(-1);
  }
}
