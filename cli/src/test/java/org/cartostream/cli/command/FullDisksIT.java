package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.OfficeReplay;
import org.cartostream.cli.SentReadings;
import org.cartostream.cli.SmallDisk;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.node.RosNode;
import org.cartostream.run.Logs;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four small disks are full at the same time, for longer than half a minute: a replay's files, a
 * live robot's folder with its spool, the checkpoints of both, and the broker's, but for its last
 * megabytes. The replay goes on, and the robot when there is room again; both with the bytes of one
 * thread.
 */
@Nightly(cluster = true)
@Timeout(400)
class FullDisksIT {

  private static final Duration FULL = Duration.ofSeconds(35);
  private static final Duration SOON = Duration.ofMinutes(2);

  /** As a user has it, and not that of the tests. */
  private static final Map<String, String> PRODUCT =
      Map.of("JAVA_TOOL_OPTIONS", "-Dlogback.configurationFile=logback.xml", "ROS_IP", "127.0.0.1");

  /** Of the office's log, which has two a second: the replay takes a minute and a half. */
  private static final int SCANS = 320;

  private static final double RATE = 1.8;
  private static final long PERIOD_MILLIS = 250;
  private static final int PARTICLES = 20;

  /** RabbitMQ takes nothing from those who publish while less is free. */
  private static final long FREE_BYTES = 8 << 20;

  /** Of a checkpoint: its epoch, and the reading up to which it is. */
  private static final Pattern MANIFEST = Pattern.compile("\\d+-(\\d+)\\.json");

  @TempDir private Path folder;

  private final List<SmallDisk> disks = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private final ScheduledExecutorService robotsTime = Executors.newSingleThreadScheduledExecutor();
  private final Deque<Reading> toDrive =
      new ArrayDeque<>(
          SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED).readings());
  private final Map<String, Set<Long>> durable = new TreeMap<>();
  private SmallDisk files;
  private SmallDisk robots;
  private SmallDisk checkpoints;
  private SmallDisk brokers;
  private LocalRabbitMq broker;

  @BeforeEach
  void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    files = mount("files", 8);
    robots = mount("robots", 8);
    checkpoints = mount("checkpoints", 64);
    broker =
        LocalRabbitMq.started(
            home -> {
              brokers = SmallDisk.mount(home.resolve("mnesia"), "size=48m");
              disks.add(brokers); // Before it starts, which may fail.
              String limit = "disk_free_limit.absolute = " + FREE_BYTES + "\n";
              return Map.of("rabbitmq.conf", "loopback_users = none\n" + limit);
            });
  }

  private SmallDisk mount(String name, int megabytes) throws IOException {
    SmallDisk disk = SmallDisk.mount(folder.resolve(name), "size=" + megabytes + "m");
    disks.add(disk);
    return disk;
  }

  @AfterEach
  void stop() throws Exception {
    robotsTime.shutdownNow();
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
    // Whatever fails, the rest is tried: else disks stay mounted.
    List<Executable> last = new ArrayList<>();
    if (broker != null) {
      last.add(broker::stop);
    }
    disks.forEach(each -> last.add(each::close));
    if (broker != null) {
      last.add(broker::close);
    }
    assertAll(last);
  }

  private Process start(String name, Object... command) throws IOException {
    Process process = CartostreamProcess.start(output(name), PRODUCT, command);
    processes.add(process);
    return process;
  }

  private Path output(String name) {
    return folder.resolve(name + ".txt");
  }

  /** True if a command has printed a line with all of these until now. */
  private boolean hasSaid(String name, Object... words) throws IOException {
    return Files.readAllLines(output(name)).stream()
        .anyMatch(line -> Stream.of(words).allMatch(word -> line.contains(word.toString())));
  }

  private Object[] checkpointed(String name) {
    return new Object[] {
      "--set", "checkpoint.everySeconds=1",
      "--set", "checkpoint.folder=" + checkpoints.folder().resolve(name),
      "--set", "slam.particles=" + PARTICLES
    };
  }

  private static Object[] words(Object[] first, Object... more) {
    return Stream.of(first, more).flatMap(Stream::of).toArray();
  }

  private Process replay() throws IOException {
    Object[] paced = {"--rate", RATE, "--robot", "r2", "--set", "topology.mapIntervalSeconds=0.5"};
    Object[] fixed = {"replay", Logs.OFFICE, "--limit", SCANS, "--out", replayed()};
    return start("replay", words(words(fixed, paced), checkpointed("replay")));
  }

  private Path replayed() {
    return files.folder().resolve("out");
  }

  private Path mapped() {
    return robots.folder().resolve("out");
  }

  private Process gateway(LocalRosMaster ros) throws IOException {
    Object[] from = {"gateway", "--robot", "r1", "--ros", ros.uri(), "--broker", broker.uri()};
    Object[] to = {"--with-service", "--out", mapped(), "--set", "gateway.waitingKeyFrames=1000"};
    return start("gateway", words(words(from, to), checkpointed("gateway")));
  }

  private void drive(RosRobot robot) {
    robot.publishLaserMount(toDrive.element().scan().mount());
    robotsTime.scheduleAtFixedRate(() -> driveOn(robot), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void driveOn(RosRobot robot) {
    synchronized (toDrive) {
      if (!toDrive.isEmpty()) {
        Reading reading = toDrive.remove();
        long stamp = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        robot.publishOdometry(stamp, reading.odometry());
        robot.publishScan(stamp, reading.scan());
      }
    }
  }

  private int leftToDrive() {
    synchronized (toDrive) {
      return toDrive.size();
    }
  }

  /** Up to which readings there have been whole checkpoints: the latest goes soon. */
  private Set<Long> manifests(String name) {
    Set<Long> seen = durable.computeIfAbsent(name, any -> new TreeSet<>());
    try (Stream<Path> all = Files.walk(checkpoints.folder().resolve(name))) {
      all.map(file -> MANIFEST.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .forEach(numbers -> seen.add(Long.parseLong(numbers.group(1))));
    } catch (IOException | UncheckedIOException movedMeanwhile) {
      // It is looked again.
    }
    return seen;
  }

  /**
   * RabbitMQ's last megabytes are left to it: it ends where it cannot write what its clients
   * declare, and has not started again then.
   */
  private void fill() throws IOException {
    for (SmallDisk each : disks) {
      if (each == brokers) {
        each.fillUpTo(FREE_BYTES / 2);
      } else {
        each.fill();
      }
    }
  }

  private String said(String name) throws IOException {
    String said = Files.readString(output(name));
    System.out.println(said);
    return said;
  }

  @Test
  void areFullForHalfAMinuteAndNothingIsLost() throws Exception {
    try (LocalRosMaster ros = LocalRosMaster.started();
        SentReadings sent = SentReadings.trace(broker);
        RosNode drivers = ros.node("drivers")) {
      RosRobot robot = new RosRobot(drivers);
      Process gateway = gateway(ros);
      await().atMost(SOON).until(robot::hasSubscribers);
      drive(robot);
      Process replay = replay();
      await()
          .atMost(SOON)
          .until(
              () ->
                  manifests("gateway").size() > 1
                      && manifests("replay").size() > 1
                      && Files.exists(replayed().resolve("map.pgm")));

      fill();
      await().atMost(SOON).until(() -> hasSaid("gateway", "takes no messages at the moment"));
      int blocked = countOnceItStandsStill(sent);
      await()
          .during(FULL)
          .atMost(FULL.multipliedBy(2))
          .until(
              () -> {
                fill();
                return gateway.isAlive() && replay.isAlive();
              });
      assertThat(sent.all()).as("what the broker took meanwhile").hasSize(blocked);
      assertTheWordsNameTheDisks();

      for (SmallDisk each : disks) {
        each.makeRoom();
      }
      assertTheReplayIsWhole(replay);
      await().atMost(SOON).until(() -> leftToDrive() == 0);
      assertTheRobotsMapIsWhole(gateway, sent);
    }
  }

  /** RabbitMQ still routes the message upon which it blocks who publishes. */
  private static int countOnceItStandsStill(SentReadings sent) {
    AtomicInteger count = new AtomicInteger();
    await()
        .during(Duration.ofSeconds(2))
        .atMost(SOON)
        .until(
            () -> {
              int now = sent.all().size();
              return count.getAndSet(now) == now;
            });
    return count.get();
  }

  private void assertTheWordsNameTheDisks() throws IOException {
    String full = "No space left on device";
    assertThat(
            List.of(
                hasSaid("replay", "a map on the way", onDisk(files), full),
                hasSaid("replay", "run.mcap", onDisk(files), full),
                hasSaid("replay", "is not durable since reading", onDisk(checkpoints), full),
                hasSaid("gateway", "backlog.spool", onDisk(robots), full),
                hasSaid("gateway", "run.journal", onDisk(robots), full),
                hasSaid("gateway", "the broker at", broker.port(), "low on disk")))
        .as(said("replay") + said("gateway"))
        .doesNotContain(false);
  }

  private static String onDisk(SmallDisk disk) {
    return "on the disk " + disk.folder() + " (tmpfs)";
  }

  private void assertTheReplayIsWhole(Process replay) throws Exception {
    assertThat(replay.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(replay.exitValue()).as("its recording lacks the end: " + said("replay")).isOne();
    assertThat(hasSaid("replay", "not all could be written", "run.mcap")).isTrue();
    assertThat(OfficeReplay.report(replayed()).at("/readings/processed").asInt()).isEqualTo(SCANS);
    assertThat(OfficeReplay.report(replayed()).at("/recovered/times").asInt()).isZero();
    Path serial = folder.resolve("serial");
    Object[] command = {
      "replay",
      Logs.OFFICE,
      "--engine",
      "serial",
      "--robot",
      "r2",
      "--particles",
      PARTICLES,
      "--limit",
      SCANS,
      "--out",
      serial
    };
    assertThat(Cartostream.run(command).exitCode()).isZero();
    for (String name : List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml", "map.png")) {
      assertThat(replayed().resolve(name)).as(name).hasSameBinaryContentAs(serial.resolve(name));
    }
  }

  private void assertTheRobotsMapIsWhole(Process gateway, SentReadings sent) throws Exception {
    gateway.destroy(); // As Ctrl-C.
    assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    MappedReadings.checkSent(sent, said("gateway"));
    MappedReadings.checkMapped(
        StartingMap.NONE, sent.all(), "r1", PARTICLES, mapped(), folder.resolve("one-thread"));
  }
}
