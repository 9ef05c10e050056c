package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.JsonSchema;
import org.cartostream.cli.NetworkHosts;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.run.Logs;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.task.ActiveTasks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A secured cluster from its first process to its last: on three hosts, which are network
 * namespaces of this machine, or, where those cannot be had, on this machine as it is.
 */
@Nightly(cluster = true)
class ClusterCommandIT {

  private static final String NAME = "test" + ProcessHandle.current().pid();

  private static final int SESSION_MILLIS = 20_000;

  /** No multiple of 128, so nothing that Storm would come to by itself. */
  private static final int HEAP = 300;

  @TempDir private static Path folder;

  private static Path home;
  private static Optional<NetworkHosts> hosts = Optional.empty();

  @BeforeAll
  static void up() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    hosts = NetworkHosts.up(folder, NAME, 3, 1);
    home = folder.resolve("cluster");
    List<Object> command =
        new ArrayList<>(
            List.of("cluster", "up", "--secure", "--home", home, "--worker-heap", HEAP));
    hosts.ifPresent(some -> command.addAll(List.of("--hosts", some.file())));
    Cartostream up = Cartostream.run(command.toArray());
    assertThat(up.err()).isEmpty();
    assertThat(up.out()).contains("the cluster is up, with 2 slots; its folder is " + home);
  }

  @AfterAll
  static void downLeavesNothingBehind() throws Exception {
    try {
      if (home != null) {
        down();
      }
    } finally {
      if (hosts.isPresent()) {
        hosts.get().close();
      }
    }
  }

  private static void down() {
    Cluster cluster = Cluster.at(ClusterHome.of(home.toString()));
    assertThat(cluster.processes().values()).allMatch(processes -> !processes.isEmpty());

    assertThat(Cartostream.run("cluster", "down", "--yes", "--home", home).exitCode()).isZero();

    assertThat(cluster.processes().values()).allMatch(List::isEmpty);
    assertThat(cluster.states()).noneMatch(Cluster.ServerState::listens);
    assertThat(home).doesNotExist();
  }

  @Test
  void aRobotsAccountIsNoneToReplayWith() {
    BrokerSettings robot =
        Cluster.at(ClusterHome.of(home.toString()))
            .access()
            .brokerForRobot("office", BrokerSettings.defaults());

    Cartostream replay =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--broker",
            robot.uri(),
            "--set",
            "broker.tls=" + robot.tls(),
            "--out",
            folder.resolve("by-robot"));

    assertThat(replay.complaint())
        .contains("this account may make none; --cluster replays through a cluster, and 'gateway'");
  }

  @Test
  void itsSupervisorsAreOnTwoHosts() {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Cartostream status = Cartostream.run("cluster", "status", "--home", home);
    assertThat(status.out()).containsPattern("nimbus +" + NAME + "-1 ");
    assertThat(status.out()).containsPattern("supervisor +" + NAME + "-2 ");
    assertThat(status.out()).containsPattern("supervisor +" + NAME + "-3 ");
  }

  /** They go out without TLS and login. */
  @Test
  void showsTheBrokersFiguresOnItsOwnHostOnly() throws Exception {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    JsonNode plan = RunReport.json().readTree(home.resolve("cluster.json").toFile());
    String address = plan.at("/hosts/0/address").asText();
    int port = plan.at("/ports/brokerMetrics").asInt();
    assertThatThrownBy(() -> new Socket(address, port).close())
        .isInstanceOf(ConnectException.class);
    assertThat(connects(NAME + "-1", "127.0.0.1", port)).isTrue();
  }

  private static boolean connects(String host, String address, int port) throws Exception {
    String script = "exec 3<>/dev/tcp/" + address + "/" + port;
    return new ProcessBuilder("ip", "netns", "exec", host, "bash", "-c", script)
            .inheritIO()
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void replaysToTheSameBytesAsTheSerialFilter() throws Exception {
    Path byCluster = folder.resolve("by-cluster");
    Path bySerial = folder.resolve("by-serial");
    Path log = Logs.OFFICE;

    Cartostream replay =
        Cartostream.run(
            "replay",
            log,
            "--cluster",
            home,
            "--workers",
            2,
            "--mode",
            "bsp",
            "--set",
            "topology.collectiveTransport=tcp",
            "--particles",
            8,
            "--limit",
            150,
            "--out",
            byCluster);
    assertThat(replay.out())
        .as(replay.err())
        .contains("150 processed, 0 refused, 0 skipped, 0 lost");
    Cartostream.run(
        "replay", log, "--engine", "serial", "--particles", 8, "--limit", 150, "--out", bySerial);

    assertThat(byCluster.resolve("trajectory.tum"))
        .hasSameBinaryContentAs(bySerial.resolve("trajectory.tum"));
    assertThat(byCluster.resolve("map.pgm")).hasSameBinaryContentAs(bySerial.resolve("map.pgm"));
    assertThat(loadedByWorkers()).contains("amqp-client=5.37.0", "storm=2.8.3");
    assertThat(Cartostream.run("topologies", "--home", home).out()).startsWith("no topology");
  }

  /** The state is stored where the cluster's service finds it, as its own. */
  @Test
  void goesOnWithAStateToTheBytesOfOneGo() throws Exception {
    List<String> lines = Logs.office(60);
    Path first = Files.write(folder.resolve("first.clf"), lines.subList(0, 35));
    Path second = Files.write(folder.resolve("second.clf"), lines.subList(35, 60));
    Path whole = Files.write(folder.resolve("whole.clf"), lines);
    Object[] serial = {"--engine", "serial", "--robot", "r1", "--particles", 12, "--out"};
    for (Path log : List.of(first, whole)) {
      Path out = folder.resolve("continued-" + log.getFileName());
      Object[] replay = words(new Object[] {"replay", log}, serial, new Object[] {out});
      assertThat(Cartostream.run(replay).exitCode()).isZero();
    }
    Path out = folder.resolve("continued-by-cluster");
    Path state = folder.resolve("continued-first.clf/run.state");

    Object[] goesOn = {"replay", second, "--continue", state, "--cluster", home, "--out", out};
    Cartostream replay = Cartostream.run(words(goesOn, new Object[] {"--particles", 12}));

    assertThat(replay.out())
        .as(replay.err())
        .contains("25 processed, 0 refused, 0 skipped, 0 lost");
    for (String name : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(out.resolve(name))
          .hasSameBinaryContentAs(folder.resolve("continued-whole.clf").resolve(name));
    }
  }

  /** Each worker unpacks the map for itself. */
  @Test
  void localisesToTheSameBytesAsOneThread() throws Exception {
    Path mapped = folder.resolve("mapped");
    Cartostream.run("replay", Logs.OFFICE, "--engine", "serial", "--limit", 60, "--out", mapped);
    Object[] place = {"--localise", mapped.resolve("map.yaml"), "--at", "0.1,-0.1,0.05"};
    Object[] few = {"replay", Logs.OFFICE, "--limit", 60, "--particles", 300, "--out"};
    Path byCluster = folder.resolve("localised-by-cluster");
    Path bySerial = folder.resolve("localised-by-serial");

    Cartostream replay =
        Cartostream.run(
            words(few, new Object[] {byCluster, "--cluster", home, "--workers", 2}, place));
    assertThat(replay.exitCode()).as(replay.err()).isZero();
    Cartostream.run(words(few, new Object[] {bySerial, "--engine", "serial"}, place));

    for (String name : List.of("trajectory.tum", "live.tum", "quality.csv", "map.png")) {
      assertThat(byCluster.resolve(name)).hasSameBinaryContentAs(bySerial.resolve(name));
    }
  }

  private static Object[] words(Object[]... parts) {
    return Stream.of(parts).flatMap(Stream::of).toArray();
  }

  private static String loadedByWorkers() {
    return Cluster.at(ClusterHome.of(home.toString())).logs("replay-office-", 1000).stream()
        .filter(line -> line.contains("loaded: "))
        .findFirst()
        .orElse("");
  }

  @Test
  void spreadsTheTasksOfASubmittedServiceOverTwoProcesses() throws Exception {
    Cartostream first = Cartostream.run("submit", "--home", home, "--name", "mine", "--workers", 2);
    assertThat(first.err()).isEmpty();
    assertThatCode(() -> gateway("mine").close())
        .as("before the service is")
        .doesNotThrowAnyException();
    await().atMost(Duration.ofSeconds(120)).until(() -> matchers().size() == 2);
    assertThat(matchers()).doesNotHaveDuplicates();
    await().atMost(Duration.ofSeconds(120)).until(() -> registered().startsWith("service  mine  "));
    await().atMost(Duration.ofSeconds(120)).until(() -> heapsOfWorkers().size() == 2);
    assertThat(heapsOfWorkers()).containsOnly("-Xmx" + HEAP + "m");

    await().atMost(Duration.ofSeconds(120)).until(() -> watch().exitCode() == 0);
    JsonSchema.check("status", json("cluster", "status"));
    JsonSchema.check("robots", json("robots"));
    JsonSchema.check("topologies", json("topologies"));
    assertThat(json("topologies")).contains("\"name\" : \"mine\"", "\"component\" : \"Matchers\"");
    assertThat(watch().out())
        .contains("mine\n")
        .containsPattern("process \\d+ +here")
        .containsPattern("Dispatcher 0 +here")
        .containsPattern("Matchers 1 +here");

    Cartostream second = Cartostream.run("submit", "--home", home, "--name", "other");
    assertThat(second.complaint())
        .isEqualTo("the cluster has 0 free slots of 2, and topology.workers is 1");
    assertThat(Cartostream.run("kill", "--home", home, "nobody").complaint())
        .startsWith("nobody: Nimbus refuses");
    assertThat(Cartostream.run("rebalance", "--home", home, "mine", "--tasks", 99).complaint())
        .isEqualTo("--tasks 99: mine has 1 to 2 tasks for particles");
    assertThat(Cartostream.run("rebalance", "--home", home, "mine", "--tasks", 1).exitCode())
        .isZero();
    assertThat(wishesForTasks()).hasSize(1);
    restartsWithOtherSettingsButForTheFilters();
    healthTellsHowOldTheCheckpointsAre();
    assertThat(Cartostream.run("kill", "--home", home, "mine").out()).contains("killed mine");
    assertThat(wishesForTasks()).as("nobody has them any more").isEmpty();
    await()
        .atMost(Duration.ofSeconds(120))
        .until(() -> Cartostream.run("topologies", "--home", home).out().startsWith("no topology"));
  }

  private static String json(Object... command) {
    return Cartostream.run(words(command, new Object[] {"--home", home, "--json"})).out();
  }

  private static Cartostream watch() {
    return Cartostream.run("cluster", "watch", "--once", "--home", home);
  }

  private static void restartsWithOtherSettingsButForTheFilters() {
    assertThat(restart("nobody").complaint())
        .isEqualTo("no service 'nobody' was submitted by 'cartostream submit'");
    Cartostream other = restart("mine", "--set", "slam.particles=7");
    assertThat(other.exitCode()).isEqualTo(2);
    assertThat(other.complaint())
        .isEqualTo(
            "slam.particles is 150 for the runs of mine, which could not go on with 7; 'kill' and"
                + " 'submit' begin them anew");

    for (String refused :
        List.of("checkpoint.everySeconds=0", "broker.service=yours", "topology.workers=3")) {
      Cartostream none = restart("mine", "--set", refused);
      assertThat(none.exitCode()).as(none.err()).isEqualTo(2);
      assertThat(none.complaint()).startsWith(refused.split("=")[0]).contains("mine");
    }
    assertThat(heapsOfWorkers()).as("it runs on").hasSize(2);

    Cartostream restart = restart("mine", "--set", "topology.workers=1");

    assertThat(restart.err()).isEmpty();
    assertThat(restart.out()).containsPattern("mine takes readings again, after [\\d.]+ s");
    await().atMost(Duration.ofSeconds(120)).until(() -> heapsOfWorkers().size() == 1);
  }

  /** Of a service that has a run. */
  private static void healthTellsHowOldTheCheckpointsAre() throws Exception {
    Scan scan =
        new Scan(Pose.ORIGIN, -1, 0.1, 0.05, 10, new float[] {2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
    Reading reading = new Reading(1, Pose.ORIGIN, scan);
    try (BrokerConnection robot = gateway("mine")) {
      robot.publish(new Envelope("early", 1, 1, reading.stampNanos(), new ReadingMessage(reading)));
      await()
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(
              () ->
                  assertThat(Cartostream.run("cluster", "health", "--home", home).out())
                      .containsPattern(
                          "ok +checkpoints of mine +what came until \\d+ s ago is durable"));
    }
  }

  private static Cartostream restart(String name, Object... options) {
    List<Object> words = new ArrayList<>(List.of("cluster", "restart", "--home", home, name));
    words.addAll(List.of(options));
    return Cartostream.run(words.toArray());
  }

  /** What the command lines of all workers say of it. */
  private static List<String> heapsOfWorkers() {
    return Cluster.at(ClusterHome.of(home.toString())).processes().values().stream()
        .flatMap(List::stream)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains("-Dworker.port=") && !line.contains("LogWriter"))
        .flatMap(line -> Stream.of(line.split(" ")))
        .filter(word -> word.startsWith("-Xmx"))
        .toList();
  }

  /** Topologies of which somebody has asked how many tasks are to hold particles. */
  private static List<String> wishesForTasks() throws Exception {
    Cluster cluster = Cluster.at(ClusterHome.of(home.toString()));
    try (CuratorFramework client =
        cluster.zookeeper().client(SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(1))) {
      client.start();
      return client.getChildren().forPath(ActiveTasks.FOLDER);
    }
  }

  /** A robot's connection, for which the service's queue must be there. */
  private static BrokerConnection gateway(String service) {
    BrokerSettings wanted = BrokerSettings.defaults().withService(service);
    BrokerSettings robot =
        Cluster.at(ClusterHome.of(home.toString())).access().brokerForRobot("early", wanted);
    return BrokerConnection.open(robot, "gateway of early", BrokerListener.NONE);
  }

  /** In the cluster's own ZooKeeper, which takes TLS only. */
  private static String registered() {
    return Cartostream.run("robots", "--home", home).out();
  }

  /** Where the matchers run. */
  private static List<String> matchers() {
    return Cartostream.run("topologies", "--home", home)
        .out()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("Matchers at "))
        .toList();
  }

  @Test
  void isWell() throws Exception {
    Cartostream health = Cartostream.run("cluster", "health", "--home", home);
    assertThat(health.out()).endsWith("all is well\n").doesNotContain("FAIL");
    assertThat(health.exitCode()).isZero();
    JsonSchema.check("health", json("cluster", "health"));
    assertThat(health.out()).containsPattern("ok +zookeeper +\\d+ entries read in \\d+ ms");
  }

  @Test
  void refusesWhatCannotBeMeant() {
    assertThat(Cartostream.run("cluster", "logs", "--home", home, "--lines", -1).complaint())
        .isEqualTo("--lines -1: at least 1 line of each file");
    Cartostream blank = Cartostream.run("cluster", "robot", "--home", home, "a b");
    assertThat(blank.complaint()).startsWith("A robot's id is 1 to 64 letters");
    assertThat(blank.exitCode()).isEqualTo(2);
    assertThat(Cartostream.run("cluster", "robot", "--home", home, "service").complaint())
        .isEqualTo("no robot of a cluster can be called 'service': so is the service's own user");
    assertThat(Cartostream.run("cluster", "up", "--home", folder, "--worker-heap", 0).complaint())
        .isEqualTo("a worker's heap of 0 MB is too small: 128 at least");
    assertThat(Cartostream.run("cluster", "up", "--slots", 3, "--hosts", "hosts.yaml").complaint())
        .startsWith("--slots 3 goes with a cluster on this machine");
  }

  @Test
  void tellsWhichServersRun() {
    Cartostream status = Cartostream.run("cluster", "status", "--home", home);
    assertThat(status.exitCode()).isZero();
    for (String server : List.of("zookeeper", "broker", "nimbus", "supervisor")) {
      assertThat(status.out()).containsPattern(server + " +\\S+ +[0-9.]+:\\d+ +process \\d+");
    }
    assertThat(Cartostream.run("cluster", "up", "--home", home).complaint())
        .contains("there is a cluster in " + home + " already");
  }
}
