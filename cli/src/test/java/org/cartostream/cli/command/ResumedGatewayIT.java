package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.cli.command.DrivingRobot.withService;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.cli.SavedState;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.local.LocalZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A robot drives on while its gateway, or its service, is killed (kill -9) and started again: path
 * and map are those of the serial filter over the readings that were sent, to the last byte.
 */
@Nightly
@Timeout(300)
class ResumedGatewayIT {

  private static final String PARTICLES = Integer.toString(MappedOffice.PARTICLES);

  @TempDir private Path folder;

  @Test
  void goesOnWhenGatewayAndServiceAreKilledTogether() throws Exception {
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Process killed = robot.gateway("one", withService());
      robot.drive(0);
      robot.untilSomewhere();
      Process next = robot.replaced(killed, () -> robot.gateway("two", withService("--resume")));
      String said = robot.end(next, "two");
      assertThat(SavedState.lastReading(robot.out())).isEqualTo(robot.sent().all().lastKey());
      robot.checkMapped(said);
    }
  }

  @Test
  void goesOnLocalisingWhenGatewayAndServiceAreKilledTogether() throws Exception {
    Path map = MappedOffice.mapped(folder).resolve("map.yaml");
    Object[] place = {"--localise", map, "--at", "0.1,-0.1,0.05"};
    Object[] few = {"--set", "localisation.particles=" + PARTICLES};
    Object[] command = Stream.of(place, few).flatMap(Stream::of).toArray();
    Object[] resumes = Stream.concat(Stream.of(command), Stream.of("--resume")).toArray();
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Process killed = robot.gateway("one", withService(command));
      robot.drive(0);
      robot.untilSomewhere();
      Process next = robot.replaced(killed, () -> robot.gateway("two", withService(resumes)));
      MappedReadings.checkSent(robot.sent(), robot.end(next, "two"));
      checkLocalised(map, robot);
    }
  }

  /** Where each reading was found, as one thread finds it. */
  private void checkLocalised(Path map, DrivingRobot robot) throws IOException {
    MonteCarloLocalisation serial =
        new MonteCarloLocalisation(
            Settings.build(LocalisationSettings.class, Map.of("particles", PARTICLES)),
            Settings.with(Settings.defaults(FilterSettings.class), Map.of("particles", PARTICLES)),
            MappedOffice.ROBOT,
            ServerMap.read(map),
            Optional.of(new Pose(0.1, -0.1, 0.05)));
    List<PathPose> path = new ArrayList<>();
    robot
        .sent()
        .all()
        .forEach(
            (number, reading) -> {
              if (serial.process(number, reading)
                  instanceof MonteCarloLocalisation.Result.Localised found) {
                path.add(new PathPose(number, reading.stampNanos(), found.pose().inMap()));
              }
            });
    new FileSink(folder.resolve("serial")).end(path);
    assertThat(robot.out().resolve(FileSink.TRAJECTORY))
        .hasSameBinaryContentAs(folder.resolve("serial").resolve(FileSink.TRAJECTORY));
  }

  @Test
  void goesOnWithTheServiceWhenOnlyTheGatewayIsKilled() throws Exception {
    try (DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      robot.service("service");
      Process killed = robot.gateway("one");
      robot.drive(0);
      robot.untilSomewhere();
      Process next = robot.replaced(killed, () -> robot.gateway("two", "--resume"));
      robot.checkMapped(robot.end(next, "two"));
    }
  }

  /** The one that lives ends when it sees in ZooKeeper who has its place. */
  @Test
  void goesOnInTheGatewayThatTakesTheRobotByForce() throws Exception {
    try (LocalZooKeeper zookeeper = LocalZooKeeper.start();
        DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      String[] registry = {"--zookeeper", "127.0.0.1:" + zookeeper.port()};
      robot.service("service");
      Process living = robot.gateway("one", (Object[]) registry);
      robot.drive(0);
      robot.untilSomewhere();
      int before = robot.sent().all().size();
      Process next =
          robot.gateway(
              "two",
              Stream.concat(Stream.of("--resume", "--force"), Stream.of(registry)).toArray());
      robot.until(() -> !living.isAlive() && robot.sent().all().size() > before + 30);
      assertThat(robot.lines("one", "has taken the robot"))
          .singleElement()
          .asString()
          .contains("process " + next.pid());
      robot.checkMapped(robot.end(next, "two"));
    }
  }

  @Test
  void goesOnWhenTheServiceIsKilled() throws Exception {
    try (DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      Process killed = robot.service("service");
      Process gateway = robot.gateway("one");
      robot.drive(0);
      robot.untilSomewhere();
      robot.replaced(killed, () -> robot.service("again"));
      robot.checkMapped(robot.end(gateway, "one"));
    }
  }

  /** It says when, leaves the poses that were answered, and can be resumed all the same. */
  @Test
  void cannotEndWithoutItsServiceAndIsResumedLater() throws Exception {
    try (DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      Process killed = robot.service("service");
      Process gateway = robot.gateway("one", "--set", "gateway.answerTimeoutSeconds=5");
      robot.drive(0);
      robot.untilSomewhere();
      killed.destroyForcibly().waitFor();
      int silences = silences(robot);
      robot.until(() -> silences(robot) > silences); // So a reading is without an answer.
      String said = robot.end(gateway, "one");
      assertThat(said)
          .containsPattern(
              "did not end in order: no answer to reading \\d+ for 5 s; the service has died or"
                  + " is cut off, for it answered until \\d\\d:\\d\\d:\\d\\d");
      Matcher processed = Pattern.compile("(\\d+) processed").matcher(said);
      assertThat(processed.find()).isTrue();
      assertThat(TumFile.read(robot.out().resolve(FileSink.TRAJECTORY)))
          .hasSize(Integer.parseInt(processed.group(1)));
      robot.service("again");
      Process next = robot.gateway("two", "--resume");
      robot.untilAGatewayListens();
      robot.checkMapped(robot.end(next, "two"));
    }
  }

  /** How often the gateway has said that it waits for an answer. */
  private static int silences(DrivingRobot robot) {
    return robot.lines("one", "no answer to reading").size();
  }
}
