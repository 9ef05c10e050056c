package org.cartostream.bench.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.NetworkHosts;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.Logs;
import org.cartostream.run.deployment.ClusterService;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.settings.Mode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Path and map of a run are those of an undisturbed one, byte for byte, whatever is killed and
 * whatever link is cut meanwhile. One cluster and one service stay over all tests. The hosts are
 * network namespaces of this machine, or, where those cannot be had, this machine alone.
 */
@Nightly
class ClusterFailuresIT {

  private static final String NAME = "fail" + ProcessHandle.current().pid();

  private static final String SERVICE = "failures";

  /** Of readings, in the first part of the office. */
  private static final int READINGS = 200;

  /** Times the log's own pace, 2 Hz: for what is to last, and for the rest. */
  private static final Pace SLOW = new Pace(3);

  private static final Pace FAST = new Pace(10);

  /** So many readings are answered before something happens, at least. */
  private static final int LEAST = 30;

  /** Of a host's packets are lost after its link was cut. */
  private static final int LOSS_PERCENT = 2;

  /** Something happens within it, on a machine that has other things to do. */
  private static final long MOST_SECONDS = 200;

  /** For what the suite has no time for: {@code -Dcartostream.soak=true}. */
  private static final String SOAK = "cartostream.soak";

  private static final Map<String, String> SETTINGS =
      Map.of(
          "slam.particles", "20",
          "topology.workers", "3",
          "topology.tasks", "4",
          "topology.collectiveTransport", "tcp",
          "checkpoint.everySeconds", "1",
          "gateway.answerTimeoutSeconds", Long.toString(MOST_SECONDS));

  @TempDir private static Path folder;

  private static Random random;
  private static Mode mode;
  private static Optional<NetworkHosts> hosts = Optional.empty();
  private static Cluster cluster;
  private static StandingService service;
  private static RootSettings settings;

  @BeforeAll
  static void up() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    long seed = Long.getLong("cartostream.seed", System.nanoTime());
    random = new Random(seed);
    mode = Mode.values()[random.nextInt(Mode.values().length)];
    System.out.printf("-Dcartostream.seed=%d: %s%n", seed, mode);
    hosts = NetworkHosts.up(folder, NAME, 4, 2);
    Path home = folder.resolve("cluster");
    List<Object> command =
        new ArrayList<>(List.of("cluster", "up", "--home", home, "--worker-heap", 256));
    command.addAll(
        hosts
            .<List<Object>>map(some -> List.of("--force", "--hosts", some.file()))
            .orElse(List.of("--slots", 3)));
    Cartostream up = Cartostream.run(command.toArray());
    assertThat(up.err()).isEmpty();
    cluster = Cluster.at(ClusterHome.of(home.toString()));
    settings =
        Settings.with(
                Settings.build(RootSettings.class, SETTINGS),
                Map.of("topology.mode", mode.toString(), "broker.service", SERVICE))
            .withCheckpointsIn(checkpoints());
    service = StandingService.start(cluster, SERVICE, settings, checkpoints());
    Cartostream undisturbed =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--engine",
            "serial",
            "--particles",
            20,
            "--limit",
            READINGS,
            "--out",
            folder.resolve("undisturbed"));
    assertThat(undisturbed.exitCode()).isZero();
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

  private static Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  /** Returns when so many readings are answered. */
  private static ReplayedRun begin(String test, Pace pace, int answered) throws Exception {
    service.awaitWorkers();
    RecoveryInput input = new RecoveryInput(Logs.OFFICE, READINGS, pace);
    ReplayedRun run = service.replay(input, folder.resolve(test));
    assertThat(run.awaitAnswers(answered, MOST_SECONDS)).as(() -> story(run)).isTrue();
    assertThat(run.answered()).as("answered before anything is killed").isLessThan(READINGS);
    return run;
  }

  private static void assertUndisturbed(ReplayedRun run) throws Exception {
    assertThat(run.awaitEnd(MOST_SECONDS))
        .as(() -> story(run))
        .contains(new ReadingCounts(READINGS, READINGS, 0, 0, 0));
    for (String file : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(run.folder().resolve(file))
          .as(() -> story(run))
          .hasSameBinaryContentAs(folder.resolve("undisturbed").resolve(file));
    }
  }

  /**
   * What became of a run, for whoever finds that it failed; not whether a connection could be had
   * again: that fills pages.
   */
  private static String story(ReplayedRun run) {
    return Stream.concat(
            run.remarks().stream(),
            Stream.concat(
                service.log().stream()
                    .filter(line -> !line.contains("netty.Client") && !line.contains("CGroup")),
                cluster.logs("supervisor", 60).stream()))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void fourOfThePartsThatCanDie() throws Exception {
    List<Victim> all = new ArrayList<>(Arrays.asList(Victim.values()));
    all.removeIf(victim -> !victim.isThere(mode));
    Collections.shuffle(all, random);
    for (Victim victim : all.subList(0, 4)) {
      int moment = LEAST + random.nextInt(READINGS / 2);
      System.out.printf("%s after reading %d%n", victim, moment);
      try (ReplayedRun run = begin(victim.toString(), FAST, moment)) {
        service.kill(victim, run);
        assertUndisturbed(run);
      }
    }
  }

  @Test
  void aSecondDeathDuringTheRecovery() throws Exception {
    try (ReplayedRun run = begin("second", FAST, LEAST)) {
      List<ProcessHandle> next = service.find(Victim.MATCHERS);
      long killed = service.kill(Victim.DISPATCHER, run);
      await().atMost(Duration.ofSeconds(MOST_SECONDS)).until(() -> service.isRestored(killed));
      service.kill(Victim.MATCHERS, next, run);
      assertUndisturbed(run);
    }
  }

  /** The worker is stopped, so that the others' parts are there and its own is not. */
  @Test
  void aDeathWhileACheckpointIsWritten() throws Exception {
    try (ReplayedRun run = begin("writing", FAST, LEAST)) {
      List<ProcessHandle> processes = service.find(Victim.MATCHERS);
      for (ProcessHandle process : processes) {
        assertThat(new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor())
            .isZero();
      }
      Path part = awaitPart(run);
      service.kill(Victim.MATCHERS, processes, run);
      assertThat(manifest(part)).doesNotExist();
      assertUndisturbed(run);
    }
  }

  /**
   * A part of a checkpoint that has no manifest yet, and had no part before: it waits for that of
   * the stopped worker, which another checkpoint might have already.
   */
  private static Path awaitPart(ReplayedRun run) throws IOException {
    Set<Path> before =
        parts().stream().map(ClusterFailuresIT::manifest).collect(Collectors.toSet());
    long end = System.nanoTime() + Duration.ofSeconds(MOST_SECONDS).toNanos();
    while (System.nanoTime() - end < 0) {
      for (Path part : parts()) {
        if (!before.contains(manifest(part)) && !Files.exists(manifest(part))) {
          return part;
        }
      }
    }
    throw new AssertionError("no checkpoint is written\n" + story(run));
  }

  private static Set<Path> parts() throws IOException {
    try (Stream<Path> files = Files.walk(checkpoints())) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> Character.isDigit(file.getFileName().toString().charAt(0))) // Not shared.
          .collect(Collectors.toSet());
    } catch (UncheckedIOException e) {
      return Set.of(); // One is being deleted.
    }
  }

  private static Path manifest(Path part) {
    String name = part.getFileName().toString();
    return part.resolveSibling(name.substring(0, name.indexOf('.')) + ".json");
  }

  /** On purpose, and with another setting. */
  @Test
  void aServiceThatIsStartedAgain() throws Exception {
    try (ReplayedRun run = begin("restarted", FAST, LEAST)) {
      RootSettings other = Settings.with(settings, Map.of("checkpoint.everySeconds", "2"));
      BrokerSettings broker = cluster.access().brokerForWorkers(other.broker());
      double seconds = new ClusterService(cluster, SERVICE).restart(other.service(broker));
      System.out.printf(Locale.ROOT, "took no readings for %.1f s%n", seconds);
      assertUndisturbed(run);
    }
  }

  @Test
  void aHostThatIsDrained() throws Exception {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Path home = cluster.folder();
    assertThat(Cartostream.run("cluster", "drain", "--home", home, "nobody").complaint())
        .startsWith("there is no host 'nobody'; the cluster's are " + NAME + "-1, ");
    try (ReplayedRun run = begin("drained", FAST, LEAST)) {
      String host = service.hostOf(Victim.MATCHERS);
      Cartostream drain = Cartostream.run("cluster", "drain", "--home", home, host);
      assertThat(drain.err()).isEmpty();
      System.out.print(drain.out());
      assertThat(drain.out()).startsWith(host + " has no workers any more; ");
      assertThat(service.hostOf(Victim.MATCHERS)).isNotEqualTo(host);
      assertUndisturbed(run);
      assertDrained(host);
    } finally {
      cluster.revive(true);
    }
  }

  /** It is no fault, and nobody who revives servers has workers there again unasked. */
  private static void assertDrained(String host) {
    Path home = cluster.folder();
    Cartostream revive = Cartostream.run("cluster", "revive", "--home", home);
    assertThat(revive.out()).contains("all servers run", host + " is drained: ");
    Cartostream status = Cartostream.run("cluster", "status", "--home", home);
    assertThat(status.exitCode()).as(status.out()).isZero();
    assertThat(status.out()).containsPattern("supervisor +" + host + " .* drained: ");
    Cartostream health = Cartostream.run("cluster", "health", "--home", home);
    assertThat(health.out()).containsPattern("ok +supervisor on " + host + " +drained; ");
  }

  /** When it is back, its link still loses some of what comes. */
  @Test
  void aHostIsCutOffForHalfAMinute() throws Exception {
    cutOff("cut", Victim.MATCHERS, Duration.ofSeconds(30));
  }

  /** After 30 s Storm starts the host's tasks elsewhere; the old ones come back 30 s later. */
  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void tasksThatComeBackAfterAMinuteAreFencedOff() throws Exception {
    cutOff("long", Victim.MATCHERS, Duration.ofSeconds(60));
  }

  @Test
  @EnabledIfSystemProperty(named = SOAK, matches = "true")
  void aDispatcherThatComesBackAfterAMinuteIsNotHeard() throws Exception {
    cutOff("long-head", Victim.DISPATCHER, Duration.ofSeconds(60));
  }

  private static void cutOff(String test, Victim victim, Duration outage) throws Exception {
    Assumptions.assumeTrue(
        hosts.isPresent(), "no network namespaces here (see above): needs root, ip");
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin/nft")), "no nft here");
    NetworkHosts links = hosts.get();
    try (ReplayedRun run = begin(test, SLOW, LEAST)) {
      String host = service.hostOf(victim);
      links.lose(host, LOSS_PERCENT);
      links.link(host, false);
      try {
        await().pollDelay(outage).atMost(outage.multipliedBy(2)).until(() -> true);
        assertThat(run.answered()).as("the run waits, or goes on").isLessThan(READINGS);
      } finally {
        links.link(host, true);
      }
      assertUndisturbed(run);
      links.lose(host, 0);
    }
  }

  @Test
  void healthSaysThatTheBrokerIsDown() throws Exception {
    service.find(Victim.BROKER).forEach(ProcessHandle::destroyForcibly);
    Cartostream health = Cartostream.run("cluster", "health", "--home", cluster.folder());
    assertThat(cluster.revive(false)).anyMatch(started -> started.startsWith("broker on "));
    assertThat(health.exitCode()).isEqualTo(1);
    assertThat(health.out())
        .containsPattern("FAIL +broker on \\S+ +its process has ended")
        .contains("-> 'cluster logs broker' says why, 'cluster revive' starts it")
        .containsPattern("FAIL +broker +the service cannot log in")
        .containsPattern("ok +zookeeper");
  }
}
