package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.SavedState;
import org.cartostream.cli.SentReadings;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.node.RosNode;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.text.TextLogs;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A robot drives on while its gateway, or its service, is killed (kill -9) and started again: path
 * and map are those of the serial filter over the readings that were sent, to the last byte.
 */
@Timeout(300)
class ResumedGatewayIT {

  private static final Duration SOON = Duration.ofSeconds(120);
  private static final long PERIOD_MILLIS = 100;
  private static final String ROBOT = "tb3";
  private static final String PARTICLES = "20";

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  /** So many of its readings were mapped another day. */
  private static final int EARLIER = 150;

  /** The robot is carried back to where it took this one. */
  private static final int BACK = 20;

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();
  private final ScheduledExecutorService robotsTime = Executors.newSingleThreadScheduledExecutor();
  private Random random;

  @BeforeEach
  void printSeed() {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    random = new Random(seed);
  }

  private Process start(String name, Object... command) throws IOException {
    Process process = CartostreamProcess.start(folder.resolve(name + ".txt"), command);
    processes.add(process);
    return process;
  }

  private Process gateway(LocalRosMaster ros, EmbeddedBroker broker, String name, Object... more)
      throws IOException {
    Object[] fixed = {
      "gateway",
      "--robot",
      ROBOT,
      "--ros",
      ros.uri(),
      "--broker",
      broker.uri(),
      "--out",
      out(),
      "--set",
      "gateway.waitingKeyFrames=1000"
    };
    Map<String, String> here = Map.of("ROS_IP", "127.0.0.1");
    Object[] command = Stream.of(fixed, more).flatMap(Stream::of).toArray();
    Process process = CartostreamProcess.start(folder.resolve(name + ".txt"), here, command);
    processes.add(process);
    return process;
  }

  private Path out() {
    return folder.resolve(ROBOT);
  }

  private static Object[] service(Object... more) {
    Object[] fixed = {"--set", "slam.particles=" + PARTICLES, "--set", "checkpoint.everySeconds=1"};
    return Stream.of(fixed, more).flatMap(Stream::of).toArray();
  }

  private void drive(RosRobot robot) {
    drive(robot, 0);
  }

  /**
   * The robot drives by its own time; it stands while no gateway is there.
   *
   * @param from the first of its readings
   */
  private void drive(RosRobot robot, int from) {
    List<Reading> office = OFFICE.readings();
    Iterator<Reading> next = office.listIterator(from);
    robot.publishLaserMount(office.get(0).scan().mount());
    robotsTime.scheduleAtFixedRate(
        () -> {
          if (!robot.hasSubscribers()) {
            return;
          }
          Reading reading = next.next();
          long stamp = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
          robot.publishOdometry(stamp, reading.odometry());
          robot.publishScan(stamp, reading.scan());
        },
        0,
        PERIOD_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  private static void until(BooleanSupplier condition) {
    await().atMost(SOON).pollInterval(Duration.ofMillis(10)).until(condition::getAsBoolean);
  }

  /** Some readings behind the latest checkpoint of a run that is well on its way. */
  private void untilSomewhere(SentReadings sent, Path checkpoints) {
    until(() -> hasCheckpoint(checkpoints));
    int more = sent.all().size() + 20 + random.nextInt(20);
    until(() -> sent.all().size() >= more);
  }

  private static boolean hasCheckpoint(Path checkpoints) {
    if (!Files.exists(checkpoints)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files.anyMatch(each -> each.toString().endsWith(".json"));
    } catch (IOException | UncheckedIOException movedMeanwhile) {
      return false;
    }
  }

  private void check(SentReadings sent, String said) throws IOException {
    MappedReadings.checkSent(sent, said);
    assertThat(sent.all().firstKey()).isOne();
    checkMapped(sent.all());
  }

  private void checkMapped(Map<Long, Reading> readings) throws IOException {
    checkMapped(StartingMap.NONE, readings);
  }

  private void checkMapped(StartingMap begun, Map<Long, Reading> readings) throws IOException {
    MappedReadings.checkMapped(
        begun, readings, ROBOT, Integer.parseInt(PARTICLES), out(), folder.resolve("serial"));
  }

  private String end(Process gateway, String name) throws Exception {
    gateway.destroy(); // As Ctrl-C.
    assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(folder.resolve(name + ".txt"));
    System.out.println(said);
    return said;
  }

  /** What is done while the robot drives; returns what the last gateway said. */
  private interface Story {
    String tell(LocalRosMaster ros, EmbeddedBroker broker, RosRobot robot, SentReadings sent)
        throws Exception;
  }

  /** Compares what the gateway wrote with what one thread makes of the readings. */
  private interface Check {
    void of(SentReadings sent, String said) throws Exception;
  }

  private void drivesOn(String service, Story story) throws Exception {
    drivesOn(service, story, this::check);
  }

  private void drivesOn(String service, Story story, Check check) throws Exception {
    try (LocalRosMaster ros = LocalRosMaster.started();
        EmbeddedBroker broker = EmbeddedBroker.start();
        SentReadings sent = SentReadings.listen(broker.uri(), service);
        RosNode drivers = ros.node("drivers")) {
      String said = story.tell(ros, broker, new RosRobot(drivers), sent);
      check.of(sent, said);
    } finally {
      robotsTime.shutdownNow();
      processes.forEach(Process::destroyForcibly);
    }
  }

  @Test
  void goesOnWhenGatewayAndServiceAreKilledTogether() throws Exception {
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Process killed = gateway(ros, broker, "one", service("--with-service"));
          until(robot::hasSubscribers);
          drive(robot);
          untilSomewhere(sent, out().resolve("checkpoint"));
          killed.destroyForcibly().waitFor();
          int before = sent.all().size();
          Process next = gateway(ros, broker, "two", service("--with-service", "--resume"));
          until(() -> sent.all().size() > before + 30);
          String said = end(next, "two");
          assertThat(SavedState.lastReading(out())).isEqualTo(sent.all().lastKey());
          return said;
        });
  }

  /** What was mapped another day, and left there. */
  private Path mapped() throws IOException {
    OFFICE.write(folder, "office");
    Object[] replay = {"replay", folder.resolve("office.clf"), "--engine", "serial"};
    Object[] part = {"--robot", ROBOT, "--limit", EARLIER, "--out", folder.resolve("mapped")};
    Object[] all = Stream.of(replay, part, service()).flatMap(Stream::of).toArray();
    assertThat(Cartostream.run(all).exitCode()).isZero();
    return folder.resolve("mapped");
  }

  /** Where each reading was found, as one thread finds it. */
  private void checkLocalised(Path map, SentReadings sent) throws IOException {
    MonteCarloLocalisation serial =
        new MonteCarloLocalisation(
            Settings.build(LocalisationSettings.class, Map.of("particles", PARTICLES)),
            Settings.with(Settings.defaults(FilterSettings.class), Map.of("particles", PARTICLES)),
            ROBOT,
            ServerMap.read(map),
            Optional.of(new Pose(0.1, -0.1, 0.05)));
    List<PathPose> path = new ArrayList<>();
    sent.all()
        .forEach(
            (number, reading) -> {
              if (serial.process(number, reading)
                  instanceof MonteCarloLocalisation.Result.Localised found) {
                path.add(new PathPose(number, reading.stampNanos(), found.pose()));
              }
            });
    new FileSink(folder.resolve("serial")).end(path);
    assertThat(out().resolve(FileSink.TRAJECTORY))
        .hasSameBinaryContentAs(folder.resolve("serial").resolve(FileSink.TRAJECTORY));
  }

  @Test
  void goesOnLocalisingWhenGatewayAndServiceAreKilledTogether() throws Exception {
    Path map = mapped().resolve("map.yaml");
    Object[] place = {"--localise", map, "--at", "0.1,-0.1,0.05", "--with-service"};
    Object[] few = {"--set", "localisation.particles=" + PARTICLES};
    Object[] command = Stream.of(service(), place, few).flatMap(Stream::of).toArray();
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Process killed = gateway(ros, broker, "one", command);
          until(robot::hasSubscribers);
          drive(robot);
          untilSomewhere(sent, out().resolve("checkpoint"));
          killed.destroyForcibly().waitFor();
          int before = sent.all().size();
          Object[] resumes = Stream.concat(Stream.of(command), Stream.of("--resume")).toArray();
          Process next = gateway(ros, broker, "two", resumes);
          until(() -> sent.all().size() > before + 30);
          return end(next, "two");
        },
        (sent, said) -> {
          MappedReadings.checkSent(sent, said);
          checkLocalised(map, sent);
        });
  }

  @Test
  void goesOnWithTheMapOfAnotherDayAndWhenItIsKilled() throws Exception {
    Path state = mapped().resolve("run.state");
    NavigableMap<Long, Reading> all = new TreeMap<>();
    try (LaserLog log = TextLogs.open(folder.resolve("office.clf"))) {
      log.readings(EARLIER).forEach(each -> all.put(all.size() + 1L, each));
    }
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Object[] continues = service("--with-service", "--continue", state);
          Process killed = gateway(ros, broker, "one", continues);
          until(robot::hasSubscribers);
          drive(robot, EARLIER);
          untilSomewhere(sent, out().resolve("checkpoint"));
          killed.destroyForcibly().waitFor();
          int before = sent.all().size();
          Process next = gateway(ros, broker, "two", service("--with-service", "--resume"));
          until(() -> sent.all().size() > before + 30);
          return end(next, "two");
        },
        (sent, said) -> {
          MappedReadings.checkSent(sent, said);
          assertThat(sent.all().firstKey()).isEqualTo(EARLIER + 1);
          all.putAll(sent.all());
          checkMapped(all);
        });
  }

  /** The pose that is said is where the robot was long ago: it goes on there, and says so. */
  @Test
  void goesOnWithThePictureOfAMapAndWhenItIsKilled() throws Exception {
    Path map = mapped().resolve("map.yaml");
    Pose wrong = new Pose(0.5, 0, 0);
    Pose right = TumFile.read(folder.resolve("mapped/trajectory.tum")).get(EARLIER - 1).pose();
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Object[] begins = {"--with-service", "--continue", map, "--at", "0.5,0,0"};
          Process killed = gateway(ros, broker, "one", service(begins));
          until(robot::hasSubscribers);
          drive(robot, EARLIER - 1);
          untilSomewhere(sent, out().resolve("checkpoint"));
          until(() -> warning("one", "; it would at ").isPresent());
          killed.destroyForcibly().waitFor();
          assertThat(warning("one", "; it is looked for in all of the map").orElseThrow())
              .contains("--at 0.50,0.00,0.00: the first scan does not fit the map there: 0.");
          String said = warning("one", "; it would at ").orElseThrow();
          String[] named = said.substring(said.lastIndexOf(' ') + 1).split(",");
          Pose there = new Pose(Double.parseDouble(named[0]), Double.parseDouble(named[1]), 0);
          assertThat(there.distance(right)).isLessThan(0.5);
          int before = sent.all().size();
          Object[] goesOn =
              Stream.of(begins, new Object[] {"--resume"}).flatMap(Stream::of).toArray();
          Process next = gateway(ros, broker, "two", service(goesOn));
          until(() -> sent.all().size() > before + 30);
          return end(next, "two");
        },
        (sent, said) -> {
          MappedReadings.checkSent(sent, said);
          assertThat(sent.all().firstKey()).as("the map counts as the first").isEqualTo(2);
          assertThat(said).doesNotContain("--at");
          double cell = Settings.defaults(FilterSettings.class).cellMetres();
          checkMapped(StartingMap.of(ServerMap.read(map), wrong, cell), sent.all());
        });
  }

  /** The robot was carried back to where it has been before, decimetres beside where it is said. */
  @Test
  void goesOnWhereTheRobotWasCarriedTo() throws Exception {
    Path mapped = mapped();
    Pose said =
        TumFile.read(mapped.resolve(FileSink.TRAJECTORY))
            .get(BACK)
            .pose()
            .then(new Pose(0.3, -0.2, 0.1));
    String at = said.x() + "," + said.y() + "," + said.theta();
    Object[] continues = {"--with-service", "--continue", mapped.resolve("run.state"), "--at", at};
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Process gateway = gateway(ros, broker, "one", service(continues));
          until(robot::hasSubscribers);
          drive(robot, BACK);
          until(() -> sent.all().size() > 60);
          return end(gateway, "one");
        },
        (sent, text) -> checkCarried(mapped, sent, text));
  }

  /** Nobody knows where it was carried to. It is killed while it is looked for, and once found. */
  @Test
  void goesOnWhereTheRobotIsFoundAndWhenItIsKilled() throws Exception {
    Path mapped = mapped();
    Path state = mapped.resolve("run.state");
    Object[] anywhere = {"--with-service", "--continue", state, "--at", "anywhere"};
    Object[] again = Stream.concat(Stream.of(anywhere), Stream.of("--resume")).toArray();
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Process looking = gateway(ros, broker, "one", service(anywhere));
          until(robot::hasSubscribers);
          drive(robot, BACK);
          Path waiting = out().resolve("backlog.spool");
          until(() -> waiting.toFile().length() > 10_000);
          assertThat(sent.all()).isEmpty();
          looking.destroyForcibly().waitFor();
          Process found = gateway(ros, broker, "two", service(again));
          untilSomewhere(sent, out().resolve("checkpoint"));
          found.destroyForcibly().waitFor();
          int before = sent.all().size();
          Process next = gateway(ros, broker, "three", service(again));
          until(() -> sent.all().size() > before + 30);
          return end(next, "three");
        },
        (sent, text) -> {
          checkCarried(mapped, sent, text);
          for (String name : List.of("one", "two")) {
            assertThat(warning(name, "looking for the robot in '" + state + "'")).isPresent();
          }
          assertThat(warning("one", "found: the run begins at ")).isEmpty();
          assertThat(warning("two", "found: the run begins at ")).isPresent();
          assertThat(text).doesNotContain("looking for the robot");
        });
  }

  /** Its user stops it while the robot is looked for: what an older run left is still that's. */
  @Test
  void leavesAnOlderRunsStateIfItIsStoppedBeforeARunBegins() throws Exception {
    Path state = mapped().resolve("run.state");
    Object[] anywhere = {"--with-service", "--continue", state, "--at", "anywhere"};
    Path older = out().resolve("run.state");
    Files.createDirectories(out());
    Files.writeString(older, "yesterday's");
    drivesOn(
        "gateway-" + ROBOT,
        (ros, broker, robot, sent) -> {
          Process looking = gateway(ros, broker, "one", service(anywhere));
          until(robot::hasSubscribers);
          until(() -> warning("one", "looking for the robot in ").isPresent());
          return end(looking, "one");
        },
        (sent, text) -> {
          assertThat(text).contains("no run has begun");
          assertThat(sent.all()).isEmpty();
          assertThat(older).hasContent("yesterday's");
        });
  }

  /** Its run has all that it saw, and it is where it was when it saw that for the first time. */
  private void checkCarried(Path mapped, SentReadings sent, String text) throws IOException {
    MappedReadings.checkSent(sent, text);
    assertThat(sent.all().firstKey()).isEqualTo(EARLIER + 1);
    assertThat(seenBefore(sent.all().firstEntry().getValue())).isBetween(BACK, BACK + 4);
    Map<Long, Pose> found = new TreeMap<>();
    TumFile.read(out().resolve(FileSink.TRAJECTORY))
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

  private Optional<String> warning(String name, String part) {
    try (Stream<String> lines = Files.lines(folder.resolve(name + ".txt"))) {
      return lines.filter(line -> line.contains(part)).findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void goesOnWithTheServiceWhenOnlyTheGatewayIsKilled() throws Exception {
    drivesOn(
        "service",
        (ros, broker, robot, sent) -> {
          Path checkpoints = folder.resolve("checkpoints");
          start("service", served(broker, checkpoints));
          Process killed = gateway(ros, broker, "one");
          until(robot::hasSubscribers);
          drive(robot);
          untilSomewhere(sent, checkpoints);
          killed.destroyForcibly().waitFor();
          int before = sent.all().size();
          Process next = gateway(ros, broker, "two", "--resume");
          until(() -> sent.all().size() > before + 30);
          return end(next, "two");
        });
  }

  @Test
  void goesOnWhenTheServiceIsKilled() throws Exception {
    drivesOn(
        "service",
        (ros, broker, robot, sent) -> {
          Path checkpoints = folder.resolve("checkpoints");
          Process killed = start("service", served(broker, checkpoints));
          Process gateway = gateway(ros, broker, "one");
          until(robot::hasSubscribers);
          drive(robot);
          untilSomewhere(sent, checkpoints);
          killed.destroyForcibly().waitFor();
          int before = sent.all().size();
          start("again", served(broker, checkpoints));
          until(() -> sent.all().size() > before + 30);
          return end(gateway, "one");
        });
  }

  /** It says when, leaves the poses that were answered, and can be resumed all the same. */
  @Test
  void cannotEndWithoutItsServiceAndIsResumedLater() throws Exception {
    drivesOn(
        "service",
        (ros, broker, robot, sent) -> {
          Path checkpoints = folder.resolve("checkpoints");
          Process killed = start("service", served(broker, checkpoints));
          Object[] impatient = {"--set", "gateway.answerTimeoutSeconds=5"};
          Process gateway = gateway(ros, broker, "one", impatient);
          until(robot::hasSubscribers);
          drive(robot);
          untilSomewhere(sent, checkpoints);
          killed.destroyForcibly().waitFor();
          int silences = silences("one");
          until(() -> silences("one") > silences); // So a reading is without an answer.
          String said = end(gateway, "one");
          assertThat(said)
              .containsPattern(
                  "did not end in order: no answer to reading \\d+ for 5 s; the service has died or"
                      + " is cut off, for it answered until \\d\\d:\\d\\d:\\d\\d");
          Matcher processed = Pattern.compile("(\\d+) processed").matcher(said);
          assertThat(processed.find()).isTrue();
          assertThat(TumFile.read(out().resolve(FileSink.TRAJECTORY)))
              .hasSize(Integer.parseInt(processed.group(1)));
          start("again", served(broker, checkpoints));
          Process next = gateway(ros, broker, "two", "--resume");
          until(robot::hasSubscribers);
          return end(next, "two");
        });
  }

  /** How often a gateway has said that it waits for an answer. */
  private int silences(String gateway) {
    try (Stream<String> lines = Files.lines(folder.resolve(gateway + ".txt"))) {
      return (int) lines.filter(line -> line.contains("no answer to reading")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object[] served(EmbeddedBroker broker, Path checkpoints) {
    Object[] fixed = {"service", "--broker", broker.uri()};
    Object[] there = service("--set", "checkpoint.folder=" + checkpoints);
    return Stream.of(fixed, there).flatMap(Stream::of).toArray();
  }
}
