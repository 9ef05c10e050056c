package org.cartostream.bench.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.deployment.ClusterService;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/**
 * A worker dies while a checkpoint is written, a service is started again, and a broker that died
 * is revived.
 */
@Nightly(cluster = true)
class ClusterRepairsIT extends FailureTest {

  /** The worker is stopped, so that the others' parts are there and its own is not. */
  @Test
  void aDeathWhileACheckpointIsWritten() throws Exception {
    try (ReplayedRun run = begin("writing", FAST, MIN)) {
      List<ProcessHandle> processes = service.find(FaultTarget.MATCHERS);
      for (ProcessHandle process : processes) {
        assertThat(new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor())
            .isZero();
      }
      Path part = awaitPart(run);
      service.kill(FaultTarget.MATCHERS, processes, run);
      assertThat(manifest(part)).doesNotExist();
      assertUndisturbed(run);
    }
  }

  /**
   * A part of a checkpoint that has no manifest yet, and had no part before: it waits for that of
   * the stopped worker, which another checkpoint might have already.
   */
  private static Path awaitPart(ReplayedRun run) throws IOException {
    Set<Path> before = parts().stream().map(ClusterRepairsIT::manifest).collect(Collectors.toSet());
    long end = System.nanoTime() + Duration.ofSeconds(MAX_SECONDS).toNanos();
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
    try (ReplayedRun run = begin("restarted", FAST, MIN)) {
      RootSettings other = Settings.with(settings, Map.of("checkpoint.everySeconds", "2"));
      BrokerSettings broker = cluster.access().brokerForWorkers(other.broker());
      double seconds = new ClusterService(cluster, SERVICE).restart(other.service(broker));
      System.out.printf(Locale.ROOT, "took no readings for %.1f s%n", seconds);
      assertUndisturbed(run);
    }
  }

  @Test
  void healthSaysThatTheBrokerIsDown() throws Exception {
    service.find(FaultTarget.BROKER).forEach(ProcessHandle::destroyForcibly);
    Cartostream health = Cartostream.run("cluster", "health", "--home", cluster.folder());
    assertThat(cluster.restart(false)).anyMatch(started -> started.startsWith("broker on "));
    assertThat(health.exitCode()).isEqualTo(1);
    assertThat(health.out())
        .containsPattern("FAIL +broker on \\S+ +its process has ended")
        .contains("-> 'cluster logs broker' says why, 'cluster revive' starts it")
        .containsPattern("FAIL +broker +the service cannot log in")
        .containsPattern("ok +zookeeper");
  }
}
