package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.cli.command.DrivingRobot.withService;
import static org.cartostream.cli.command.MappedOffice.EARLIER;
import static org.cartostream.cli.command.MappedOffice.OFFICE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cartostream.cli.SentReadings;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A robot goes on with the map of another day, from where that ended or from elsewhere in it, and
 * its gateway is killed (kill -9) and started again meanwhile.
 */
@Nightly
@Timeout(300)
class ContinuedGatewayIT {

  /** The robot is carried back to where it took this one. */
  private static final int BACK = 20;

  @TempDir private Path folder;

  private static Object[] resumed(Object... command) {
    return withService(Stream.concat(Stream.of(command), Stream.of("--resume")).toArray());
  }

  @Test
  void goesOnWithTheMapOfAnotherDayAndWhenItIsKilled() throws Exception {
    Path state = MappedOffice.mapped(folder).resolve("run.state");
    NavigableMap<Long, Reading> all = new TreeMap<>();
    try (LaserLog log = CarmenLog.open(folder.resolve("office.clf"), CarmenSettings.defaults())) {
      log.readings(EARLIER).forEach(each -> all.put(all.size() + 1L, each));
    }
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Process killed = robot.gateway("one", withService("--continue", state));
      robot.drive(EARLIER);
      robot.untilSomewhere();
      Process next = robot.replaced(killed, () -> robot.gateway("two", resumed()));
      MappedReadings.checkSent(robot.sent(), robot.end(next, "two"));
      assertThat(robot.sent().all().firstKey()).isEqualTo(EARLIER + 1);
      all.putAll(robot.sent().all());
      robot.checkMapped(StartingMap.NONE, all);
    }
  }

  /** The pose that is said is where the robot was long ago: it goes on there, and says so. */
  @Test
  void goesOnWithThePictureOfAMapAndWhenItIsKilled() throws Exception {
    Path map = MappedOffice.mapped(folder).resolve("map.yaml");
    Pose wrong = new Pose(0.5, 0, 0);
    Pose right = TumFile.read(folder.resolve("mapped/trajectory.tum")).get(EARLIER - 1).pose();
    Object[] begins = {"--continue", map, "--at", "0.5,0,0"};
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Process killed = robot.gateway("one", withService(begins));
      robot.drive(EARLIER - 1);
      robot.untilSomewhere();
      robot.until(() -> !robot.lines("one", "; it would at ").isEmpty());
      assertThat(robot.lines("one", "; it is looked for in all of the map").get(0))
          .contains("--at 0.50,0.00,0.00: the first scan does not fit the map there: 0.");
      String said = robot.lines("one", "; it would at ").get(0);
      String[] named = said.substring(said.lastIndexOf(' ') + 1).split(",");
      Pose there = new Pose(Double.parseDouble(named[0]), Double.parseDouble(named[1]), 0);
      assertThat(there.distance(right)).isLessThan(0.5);
      Process next = robot.replaced(killed, () -> robot.gateway("two", resumed(begins)));
      String text = robot.end(next, "two");
      MappedReadings.checkSent(robot.sent(), text);
      assertThat(robot.sent().all().firstKey()).as("the map counts as the first").isEqualTo(2);
      assertThat(text).doesNotContain("--at");
      double cell = Settings.defaults(FilterSettings.class).cellMetres();
      robot.checkMapped(StartingMap.of(ServerMap.read(map), wrong, cell), robot.sent().all());
    }
  }

  /** The robot was carried back to where it has been before, decimetres beside where it is said. */
  @Test
  void goesOnWhereTheRobotWasCarriedTo() throws Exception {
    Path mapped = MappedOffice.mapped(folder);
    Pose said =
        TumFile.read(mapped.resolve(FileSink.TRAJECTORY))
            .get(BACK)
            .pose()
            .then(new Pose(0.3, -0.2, 0.1));
    String at = said.x() + "," + said.y() + "," + said.theta();
    Object[] continues = withService("--continue", mapped.resolve("run.state"), "--at", at);
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Process gateway = robot.gateway("one", continues);
      robot.drive(BACK);
      robot.until(() -> robot.sent().all().size() > 60);
      checkCarried(mapped, robot, robot.end(gateway, "one"));
    }
  }

  /** Nobody knows where it was carried to. It is killed while it is looked for, and once found. */
  @Test
  void goesOnWhereTheRobotIsFoundAndWhenItIsKilled() throws Exception {
    Path mapped = MappedOffice.mapped(folder);
    Path state = mapped.resolve("run.state");
    Object[] anywhere = {"--continue", state, "--at", "anywhere"};
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Process looking = robot.gateway("one", withService(anywhere));
      robot.drive(BACK);
      Path waiting = robot.out().resolve("backlog.spool");
      robot.until(() -> waiting.toFile().length() > 10_000);
      String lookingFor = "looking for the robot in '" + state + "'";
      robot.until(() -> !robot.lines("one", lookingFor).isEmpty());
      assertThat(robot.sent().all()).isEmpty();
      looking.destroyForcibly().waitFor();
      Process found = robot.gateway("two", resumed(anywhere));
      robot.untilSomewhere();
      Process next = robot.replaced(found, () -> robot.gateway("three", resumed(anywhere)));
      String text = robot.end(next, "three");
      checkCarried(mapped, robot, text);
      assertThat(robot.lines("two", lookingFor)).isNotEmpty();
      assertThat(robot.lines("one", "found: the run begins at ")).isEmpty();
      assertThat(robot.lines("two", "found: the run begins at ")).isNotEmpty();
      assertThat(text).doesNotContain("looking for the robot");
    }
  }

  /** Its user stops it while the robot is looked for: what an older run left is still that's. */
  @Test
  void leavesAnOlderRunsStateIfItIsStoppedBeforeARunBegins() throws Exception {
    Path state = MappedOffice.mapped(folder).resolve("run.state");
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Path older = robot.out().resolve("run.state");
      Files.createDirectories(robot.out());
      Files.writeString(older, "yesterday's");
      Process looking = robot.gateway("one", withService("--continue", state, "--at", "anywhere"));
      robot.untilAGatewayListens();
      robot.until(() -> !robot.lines("one", "looking for the robot in ").isEmpty());
      assertThat(robot.end(looking, "one")).contains("no run has begun");
      assertThat(robot.sent().all()).isEmpty();
      assertThat(older).hasContent("yesterday's");
    }
  }

  /** Its run has all that it saw, and it is where it was when it saw that for the first time. */
  private static void checkCarried(Path mapped, DrivingRobot robot, String text)
      throws IOException {
    SentReadings sent = robot.sent();
    MappedReadings.checkSent(sent, text);
    assertThat(sent.all().firstKey()).isEqualTo(EARLIER + 1);
    assertThat(seenBefore(sent.all().firstEntry().getValue())).isBetween(BACK, BACK + 4);
    Map<Long, Pose> found = new TreeMap<>();
    TumFile.read(robot.out().resolve(FileSink.TRAJECTORY))
        .forEach(each -> found.put(Math.round(each.stampNanos() / 1e6), each.pose()));
    List<StampedPose> known = TumFile.read(mapped.resolve(FileSink.TRAJECTORY));
    int compared = 0;
    double far = 0;
    for (Reading each : sent.all().values()) {
      int index = seenBefore(each);
      Pose there = found.get(Math.round(each.stampNanos() / 1e6));
      if (index < EARLIER && there != null) {
        compared++;
        far = Math.max(far, there.distance(known.get(index).pose()));
      }
    }
    System.out.printf("%.3f m from where it was, at most, %d poses%n", far, compared);
    assertThat(compared).isGreaterThan(50);
    assertThat(far).isLessThan(0.15);
  }

  /** Which of the office's readings it is. */
  private static int seenBefore(Reading reading) {
    for (int i = BACK; i < OFFICE.readings().size(); i++) {
      if (OFFICE.readings().get(i).odometry().distance(reading.odometry()) < 1e-6) {
        return i;
      }
    }
    throw new AssertionError("no reading of the office: " + reading.odometry());
  }
}
