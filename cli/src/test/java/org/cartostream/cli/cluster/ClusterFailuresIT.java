package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.NetworkHosts;
import org.cartostream.cli.OfficeReplay;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run goes on while a cluster's servers are killed and started again, a worker dies, and a host
 * is cut off. The hosts are network namespaces of this machine, or, where those cannot be had, this
 * machine alone.
 */
class ClusterFailuresIT {

  /** What is not in a worker with nothing but particles, or the resampler. */
  private static final Set<String> NO_HEAD = Set.of("Dispatcher", "Publisher");

  /** Of what comes to a host with a bad link. */
  private static final int LOSS_PERCENT = 2;

  private static final Duration SOON = Duration.ofSeconds(120);

  /** Of a run in which something fails, on a machine that has other things to do. */
  private static final Duration RUN = Duration.ofSeconds(400);

  /** However long a process takes to come back, there. */
  private static final List<Object> PATIENCE =
      List.of(
          "--set",
          "topology.readingTimeoutSeconds=150",
          "--set",
          "gateway.answerTimeoutSeconds=200");

  private static final String NAME = "fail" + ProcessHandle.current().pid();

  /** Of a server's or a worker's log, for whoever looks for what went wrong. */
  private static final int LINES = 60;

  /** For what the suite has no time for: {@code -Dcartostream.soak=true}. */
  private static final String SOAK = "cartostream.soak";

  @TempDir private static Path folder;

  private static Optional<NetworkHosts> hosts = Optional.empty();
  private static Path home;
  private static Cluster cluster;

  @BeforeAll
  static void up() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    hosts = NetworkHosts.up(folder, NAME, 4, 2);
    home = folder.resolve("cluster");
    List<Object> command =
        new ArrayList<>(List.of("cluster", "up", "--home", home, "--worker-heap", 256));
    command.addAll(
        hosts
            .<List<Object>>map(some -> List.of("--hosts", some.file()))
            .orElse(List.of("--slots", 3)));
    Cartostream up = Cartostream.run(command.toArray());
    assertThat(up.err()).isEmpty();
    cluster = Cluster.at(ClusterHome.of(home.toString()));
  }

  @AfterAll
  static void down() throws Exception {
    try {
      if (cluster != null) {
        cluster.down();
      }
    } finally {
      if (hosts.isPresent()) {
        hosts.get().close();
      }
    }
  }

  @Test
  void nothingIsLostWhenBrokerZooKeeperAndNimbusAreKilledAndStartedAgain() throws Exception {
    List<Object> command =
        new ArrayList<>(List.of("replay", Logs.OFFICE, "--cluster", home, "--particles", 8));
    Path disturbed = folder.resolve("disturbed");
    // Longer than all that is done meanwhile, however long that takes; then it is interrupted.
    command.addAll(List.of("--rate", 2, "--out", disturbed));
    command.addAll(PATIENCE);
    ShutdownRequest enough = new ShutdownRequest();
    CompletableFuture<Cartostream> replay =
        CompletableFuture.supplyAsync(() -> Cartostream.run(enough, command.toArray()));
    await().atMost(SOON).until(() -> workersHaveSaid("robot office, run .* begins"));

    for (String server : new String[] {"broker", "zookeeper", "nimbus"}) {
      assertThat(replay).as("still running when %s is killed", server).isNotDone();
      kill(server);
      if (server.equals("broker")) {
        healthSaysThatTheBrokerIsDown();
      }
      assertThat(cluster.revive()).anyMatch(started -> started.startsWith(server + " on "));
    }

    awaitSecondMap("disturbed");
    enough.request(130);

    Cartostream ended = awaitEnd(replay, "office");
    assertThat(ended.out())
        .as(() -> story("office", ended.err()))
        .contains("0 refused, 0 skipped, 0 lost");
    Cartostream.run(
        "replay",
        Logs.OFFICE,
        "--engine",
        "serial",
        "--particles",
        8,
        "--limit",
        OfficeReplay.report(disturbed).at("/readings/processed").asInt(),
        "--out",
        folder.resolve("undisturbed"));
    assertThat(disturbed.resolve("trajectory.tum"))
        .hasSameBinaryContentAs(folder.resolve("undisturbed/trajectory.tum"));
  }

  private static void healthSaysThatTheBrokerIsDown() {
    Cartostream health = Cartostream.run("cluster", "health", "--home", home);
    assertThat(health.exitCode()).isEqualTo(1);
    assertThat(health.out())
        .containsPattern("FAIL +broker on \\S+ +its process has ended")
        .contains("-> 'cluster logs broker' says why, 'cluster revive' starts it")
        .containsPattern("FAIL +broker +the service cannot log in")
        .containsPattern("ok +zookeeper")
        .endsWith(
            "2 of "
                + health.out().lines().filter(line -> line.matches("(ok|FAIL) .*")).count()
                + " checks have failed\n");
  }

  @Test
  void aRunGoesOnWhenAWorkerWithoutTheDispatcherIsKilled() throws Exception {
    goesOn("orphan", "dataflow", Set.of("Matchers"), Set.of("Dispatcher"));
  }

  /** With one process fewer {@code KilledWorkersIT} has it. */
  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void aRunGoesOnWhenAMatchersWorkerIsKilledInBsp() throws Exception {
    goesOn("orphan-bsp", "bsp", Set.of("Matchers"), Set.of("Dispatcher"));
  }

  /** The other one of the two. */
  @Test
  void aRunGoesOnWhenTheWorkerOfTheDispatcherIsKilled() throws Exception {
    goesOn("headless", "dataflow", Set.of("Dispatcher", "Matchers"), Set.of());
  }

  /** Of two workers that one is killed in which there are these components, and not those. */
  private static void goesOn(String robot, String mode, Set<String> dying, Set<String> living)
      throws Exception {
    List<Object> command =
        new ArrayList<>(List.of("replay", Logs.OFFICE, "--cluster", home, "--workers", 2));
    command.addAll(List.of("--particles", 20, "--rate", 8, "--robot", robot));
    command.addAll(List.of("--out", folder.resolve(robot)));
    command.addAll(PATIENCE);
    command.addAll(
        List.of("--set", "topology.mode=" + mode, "--set", "topology.collectiveTransport=tcp"));
    CompletableFuture<Cartostream> replay =
        CompletableFuture.supplyAsync(() -> Cartostream.run(command.toArray()));
    awaitSecondMap(robot);
    ProcessHandle worker = workerAt(slot("replay-" + robot, dying, living));
    assertThat(replay).isNotDone();
    worker.destroyForcibly();

    Cartostream ended = awaitEnd(replay, robot);
    assertThat(ended.out())
        .as(() -> story(robot, ended.err()))
        .contains("320 processed, 0 refused, 0 skipped, 0 lost");
    assertUndisturbed(robot);
  }

  /** When it is back, its link still loses some of what comes. */
  @Test
  void nothingIsLostWhenAHostIsCutOffForTenSeconds() throws Exception {
    Cartostream ended = withAHostCutOff("brief", NO_HEAD, 8, Duration.ofSeconds(10));

    assertThat(ended.out())
        .as(() -> story("brief", ended.err()))
        .contains("320 processed, 0 refused, 0 skipped, 0 lost");
    assertUndisturbed("brief");
  }

  /** After 30 s Storm starts the host's tasks elsewhere; the old ones come back 30 s later. */
  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void tasksThatComeBackAfterAMinuteAreFencedOff() throws Exception {
    Cartostream ended = withAHostCutOff("long", NO_HEAD, 1, Duration.ofSeconds(60));

    assertThat(ended.out())
        .as(() -> story("long", ended.err()))
        .contains("320 processed, 0 refused, 0 skipped, 0 lost");
    assertUndisturbed("long");
  }

  /** Its host has particles, too. */
  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void aDispatcherThatComesBackAfterAMinuteIsNotHeard() throws Exception {
    Cartostream ended =
        withAHostCutOff("long-head", Set.of("Resampler"), 1, Duration.ofSeconds(60));

    assertThat(ended.out())
        .as(() -> story("long-head", ended.err()))
        .contains("320 processed, 0 refused, 0 skipped, 0 lost");
    assertUndisturbed("long-head");
  }

  /**
   * A run in which the link to a host with particles is bad, goes down, and up again.
   *
   * @param elsewhere what is not on that host; of the rest, whatever there is
   * @param rate how much faster than the log's own pace the readings come
   */
  private static Cartostream withAHostCutOff(
      String robot, Set<String> elsewhere, int rate, Duration outage) throws Exception {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/nft")), "no nft here");
    List<Object> command =
        new ArrayList<>(List.of("replay", Logs.OFFICE, "--cluster", home, "--particles", 20));
    command.addAll(List.of("--workers", elsewhere.equals(NO_HEAD) ? 3 : 2));
    command.addAll(List.of("--rate", rate, "--robot", robot, "--out", folder.resolve(robot)));
    command.addAll(PATIENCE);
    CompletableFuture<Cartostream> replay =
        CompletableFuture.supplyAsync(() -> Cartostream.run(command.toArray()));
    awaitSecondMap(robot);
    String host = hostOf(slot("replay-" + robot, Set.of("Matchers"), elsewhere));
    hosts.orElseThrow().lose(host, LOSS_PERCENT);
    hosts.orElseThrow().link(host, false);
    try {
      await().pollDelay(outage).atMost(outage.multipliedBy(2)).until(() -> true);
      assertThat(replay).as("still running when the host comes back").isNotDone();
    } finally {
      hosts.orElseThrow().link(host, true);
    }
    try {
      return awaitEnd(replay, robot);
    } finally {
      hosts.orElseThrow().lose(host, 0);
    }
  }

  /** With it the run is well on its way. */
  private static void awaitSecondMap(String robot) throws Exception {
    Path map = folder.resolve(robot).resolve("map.pgm");
    await().atMost(SOON).until(() -> Files.exists(map));
    FileTime first = Files.getLastModifiedTime(map);
    await().atMost(SOON).until(() -> !Files.getLastModifiedTime(map).equals(first));
  }

  /** To the last byte, by the serial engine. */
  private static void assertUndisturbed(String robot) {
    Path undisturbed = folder.resolve("undisturbed-" + robot);
    Cartostream.run(
        "replay",
        Logs.OFFICE,
        "--engine",
        "serial",
        "--particles",
        20,
        "--robot",
        robot,
        "--out",
        undisturbed);
    for (String file : List.of("trajectory.tum", "map.pgm")) {
      assertThat(folder.resolve(robot).resolve(file))
          .hasSameBinaryContentAs(undisturbed.resolve(file));
    }
  }

  private static Cartostream awaitEnd(CompletableFuture<Cartostream> replay, String robot)
      throws Exception {
    try {
      return replay.get(RUN.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(story(robot, robot + " has not ended\n"), e);
    }
  }

  /**
   * What became of a run, for whoever finds that it failed.
   *
   * @param said by the command
   */
  private static String story(String robot, String said) {
    Stream<String> workers =
        cluster.logs("replay-" + robot, LINES).stream().filter(ClusterFailuresIT::tells);
    Stream<String> servers = cluster.logs("supervisor", LINES).stream();
    return said + Stream.concat(workers, servers).collect(Collectors.joining("\n"));
  }

  /** Not whether a connection could be had again: that fills pages. */
  private static boolean tells(String line) {
    return !line.contains("netty.Client") && !line.contains("CGroup");
  }

  /** What else is in a process dies with it. */
  private static String slot(String topology, Set<String> dying, Set<String> living)
      throws Exception {
    Map<String, Set<String>> bySlot = new TreeMap<>();
    for (Nimbus.Task task : cluster.nimbus().tasks(topology)) {
      bySlot.computeIfAbsent(task.slot(), slot -> new TreeSet<>()).add(task.component());
    }
    return bySlot.entrySet().stream()
        .filter(slot -> slot.getValue().containsAll(dying))
        .filter(slot -> Collections.disjoint(slot.getValue(), living))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such slot: " + bySlot))
        .getKey();
  }

  private static String hostOf(String slot) {
    String address = slot.substring(0, slot.indexOf(':'));
    return cluster.states().stream()
        .filter(serverState -> serverState.address().startsWith(address + ":"))
        .findFirst()
        .orElseThrow()
        .host();
  }

  private static ProcessHandle workerAt(String slot) {
    String port = slot.substring(slot.indexOf(':') + 1);
    return cluster.processes().get(hostOf(slot)).stream()
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .filter(process -> isWorkerAt(port, process))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isWorkerAt(String port, ProcessHandle process) {
    String line = process.info().commandLine().orElse("");
    return line.contains("-Dworker.port=" + port + " ") && !line.contains("LogWriter");
  }

  private boolean workersHaveSaid(String words) {
    Pattern pattern = Pattern.compile(words);
    return cluster.logs("replay-", 1000).stream().anyMatch(line -> pattern.matcher(line).find());
  }

  private void kill(String server) {
    long pid =
        cluster.states().stream()
            .filter(serverState -> serverState.role().equals(server))
            .findFirst()
            .orElseThrow()
            .pid();
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    await().atMost(SOON).until(() -> !process.isAlive());
  }
}
