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
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.SentReadings;
import org.cartostream.ros.local.LocalRosMaster;
import org.cartostream.ros.node.RosNode;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Assumptions;

/**
 * A robot in a graph of ROS 1 that drives through the simulator's office, while its gateway and its
 * service are processes that can be killed and started again. All that they send is noted, to be
 * compared with what one thread makes of it.
 *
 * <p>Owns ROS's master, the broker and the processes; what these print is in files of their names.
 */
final class DrivingRobot implements AutoCloseable {

  /** An emulated gateway on a busy machine, too. */
  private static final Duration SOON = Duration.ofMinutes(5);

  private static final long PERIOD_MILLIS = 100;
  private static final int FURTHER = 30;
  private static final Map<String, String> OF_ROS = Map.of("ROS_IP", "127.0.0.1");

  private final Path folder;
  private final Path checkpoints;
  private final LocalRosMaster ros;
  private final EmbeddedBroker broker;
  private final SentReadings sent;
  private final RosNode drivers;
  private final RosRobot robot;
  private final Random random;
  private final List<Process> processes = new ArrayList<>();
  private final ScheduledExecutorService robotsTime = Executors.newSingleThreadScheduledExecutor();

  private DrivingRobot(Path folder, String service, String checkpoints) throws Exception {
    LocalRosMaster.missing().ifPresent(why -> Assumptions.abort(why));
    this.folder = folder;
    this.checkpoints = folder.resolve(checkpoints);
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    random = new Random(seed);
    ros = LocalRosMaster.started();
    broker = EmbeddedBroker.start();
    sent = SentReadings.listen(broker.uri(), service);
    drivers = ros.node("drivers");
    robot = new RosRobot(drivers);
  }

  /**
   * One whose gateway brings the service along ({@link #withService}).
   *
   * @param folder for all files
   */
  static DrivingRobot withOwnService(Path folder) throws Exception {
    String ofRobot = MappedOffice.ROBOT + "/checkpoint";
    return new DrivingRobot(folder, "gateway-" + MappedOffice.ROBOT, ofRobot);
  }

  /**
   * One whose service is a process of its own ({@link #service}).
   *
   * @param folder for all files
   */
  static DrivingRobot withServiceElsewhere(Path folder) throws Exception {
    return new DrivingRobot(folder, "service", "checkpoints");
  }

  private Process start(String name, Map<String, String> environment, Object[] command)
      throws IOException {
    Process process = CartostreamProcess.start(folder.resolve(name + ".txt"), environment, command);
    processes.add(process);
    return process;
  }

  private static Object[] joined(Object[] fixed, Object[] more) {
    return Stream.of(fixed, more).flatMap(Stream::of).toArray();
  }

  private static Object[] serving(Object... more) {
    Object[] particles = {"--set", "slam.particles=" + MappedOffice.PARTICLES};
    return joined(joined(particles, new Object[] {"--set", "checkpoint.everySeconds=1"}), more);
  }

  /** Options of a gateway that brings the service along. */
  static Object[] withService(Object... more) {
    return joined(serving("--with-service"), more);
  }

  Process gateway(String name, Object... more) throws IOException {
    return start(name, OF_ROS, gatewayWords(more));
  }

  /** The same by another program than this JVM's. */
  Process gatewayBy(List<String> program, String name, Object... more) throws IOException {
    Path output = folder.resolve(name + ".txt");
    Process process =
        CartostreamProcess.startBy(program.toArray(), output, OF_ROS, gatewayWords(more));
    processes.add(process);
    return process;
  }

  private Object[] gatewayWords(Object... more) {
    Object[] fixed = {
      "gateway",
      "--robot",
      MappedOffice.ROBOT,
      "--ros",
      ros.uri(),
      "--broker",
      broker.uri(),
      "--out",
      out(),
      "--set",
      "gateway.waitingKeyFrames=1000"
    };
    return joined(fixed, more);
  }

  Process service(String name, Object... more) throws IOException {
    Object[] fixed = {"service", "--broker", broker.uri()};
    Object[] settings = serving("--set", "checkpoint.folder=" + checkpoints);
    return start(name, Map.of(), joined(joined(fixed, settings), more));
  }

  /** The gateway's. */
  Path out() {
    return folder.resolve(MappedOffice.ROBOT);
  }

  SentReadings sent() {
    return sent;
  }

  void until(BooleanSupplier condition) {
    await().atMost(SOON).pollInterval(Duration.ofMillis(10)).until(condition::getAsBoolean);
  }

  void untilAGatewayListens() {
    until(robot::hasSubscribers);
  }

  /**
   * When a gateway listens, the robot begins to drive, by its own time; it stands while none does.
   *
   * @param from the first of its readings
   */
  void drive(int from) {
    untilAGatewayListens();
    List<Reading> office = MappedOffice.OFFICE.readings();
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

  /** Until it is some readings behind the latest checkpoint of a run that is well on its way. */
  void untilSomewhere() {
    until(this::hasCheckpoint);
    int more = sent.all().size() + 20 + random.nextInt(20);
    until(() -> sent.all().size() >= more);
  }

  private boolean hasCheckpoint() {
    if (!Files.exists(checkpoints)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files.anyMatch(each -> each.toString().endsWith(".json"));
    } catch (IOException | UncheckedIOException movedMeanwhile) {
      return false;
    }
  }

  /** Kills a process (kill -9), starts the next one, and returns when more readings were sent. */
  Process replaced(Process killed, Callable<Process> next) throws Exception {
    killed.destroyForcibly().waitFor();
    int before = sent.all().size();
    Process started = next.call();
    until(() -> sent.all().size() > before + FURTHER);
    return started;
  }

  /** Ends a gateway as Ctrl-C does; returns all that it printed. */
  String end(Process gateway, String name) throws Exception {
    gateway.destroy();
    assertThat(gateway.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(folder.resolve(name + ".txt"));
    System.out.println(said);
    return said;
  }

  /** Of what a process has printed so far, the lines with a part. */
  List<String> lines(String name, String part) {
    try (Stream<String> lines = Files.lines(folder.resolve(name + ".txt"))) {
      return lines.filter(line -> line.contains(part)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Path and map of the run that is over are those of one thread, by all readings that were sent.
   *
   * @param said by the last gateway
   */
  void checkMapped(String said) throws IOException {
    MappedReadings.checkSent(sent, said);
    assertThat(sent.all().firstKey()).isOne();
    checkMapped(StartingMap.NONE, sent.all());
  }

  /**
   * They are those of one thread.
   *
   * @param begun what the robot knew before
   */
  void checkMapped(StartingMap begun, Map<Long, Reading> readings) throws IOException {
    MappedReadings.checkMapped(
        begun,
        readings,
        MappedOffice.ROBOT,
        MappedOffice.PARTICLES,
        out(),
        folder.resolve("serial"));
  }

  @Override
  public void close() throws Exception {
    robotsTime.shutdownNow();
    processes.forEach(Process::destroyForcibly);
    drivers.close();
    sent.close();
    broker.close();
    ros.close();
  }
}
