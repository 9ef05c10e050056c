package org.cartostream.bench.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.NetworkHosts;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.Logs;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.topology.settings.ResamplingMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * Path and map of a run are those of an undisturbed one, byte for byte, whatever is killed and
 * whatever link is cut meanwhile. One cluster and one service stay over all tests. The hosts are
 * network namespaces of this machine, or, where those cannot be had, this machine alone.
 */
abstract class FailureTest {

  static final String NAME = "fail" + ProcessHandle.current().pid();

  static final String SERVICE = "failures";

  /** Of readings, in the first part of the office. */
  static final int READINGS = 200;

  /** Times the log's own pace, 2 Hz: for what is to last, and for the rest. */
  static final Pace SLOW = new Pace(3);

  static final Pace FAST = new Pace(10);

  /** So many readings are answered before something happens, at least. */
  static final int MIN = 30;

  /** Something happens within it, on a machine that has other things to do. */
  static final long MAX_SECONDS = 200;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "slam.particles", "20",
          "topology.workers", "3",
          "topology.tasks", "4",
          "topology.collectiveTransport", "tcp",
          "checkpoint.everySeconds", "1",
          "gateway.answerTimeoutSeconds", Long.toString(MAX_SECONDS));

  @TempDir private static Path folder;

  static Random random;
  static ResamplingMode mode;
  static Optional<NetworkHosts> hosts = Optional.empty();
  static Cluster cluster;
  static ServiceUnderTest service;
  static RootSettings settings;

  @BeforeAll
  static void up() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    long seed = Long.getLong("cartostream.seed", System.nanoTime());
    random = new Random(seed);
    mode = ResamplingMode.values()[random.nextInt(ResamplingMode.values().length)];
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
    service = ServiceUnderTest.start(cluster, SERVICE, settings, checkpoints());
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

  static Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  /** Returns when so many readings are answered. */
  static ReplayedRun begin(String test, Pace pace, int answered) throws Exception {
    service.awaitWorkers();
    RecoveryInput input = new RecoveryInput(Logs.OFFICE, READINGS, pace);
    ReplayedRun run = service.replay(input, folder.resolve(test));
    assertThat(run.awaitAnswers(answered, MAX_SECONDS)).as(() -> story(run)).isTrue();
    assertThat(run.answered()).as("answered before anything is killed").isLessThan(READINGS);
    return run;
  }

  static void assertUndisturbed(ReplayedRun run) throws Exception {
    assertThat(run.awaitEnd(MAX_SECONDS))
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
  static String story(ReplayedRun run) {
    return Stream.concat(
            run.remarks().stream(),
            Stream.concat(
                service.log().stream()
                    .filter(line -> !line.contains("netty.Client") && !line.contains("CGroup")),
                cluster.logs("supervisor", 60).stream()))
        .collect(Collectors.joining("\n"));
  }
}
