package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replay on a cluster that has the one slot it needs, whose process is killed or replaced: the
 * next command goes on, or begins anew, to the serial filter's bytes.
 */
@Nightly(cluster = true)
class ResumedClusterReplayIT {

  @TempDir private static Path folder;

  private static OneSlotCluster cluster;

  @BeforeAll
  static void up() {
    cluster = OneSlotCluster.up(folder);
  }

  @AfterAll
  static void down() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void goesOnThoughItsTopologyHasTheSlot() throws Exception {
    Process killed = cluster.begun("killed", 5);
    killed.destroyForcibly().waitFor();

    Cartostream resumed = Cartostream.run(cluster.command("killed", "--resume"));

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("resumed      behind reading ");
    assertThat(resumed.err()).contains("'replay-office' is held by", "process " + killed.pid());
    cluster.sameAsSerial("killed");
  }

  /** On a busy machine it is away for longer than a replay waits where nobody starts it again. */
  @Test
  void waitsForAWorkerThatStormStartsAgain() throws Exception {
    Object[] impatient = {"--set", "gateway.answerTimeoutSeconds=15"};
    Object[] slow = {"--rate", 4, "--set", "checkpoint.everySeconds=1"};
    Object[] command =
        cluster.command("waiting", Stream.of(impatient, slow).flatMap(Stream::of).toArray());
    CompletableFuture<Cartostream> running =
        CompletableFuture.supplyAsync(() -> Cartostream.run(command));
    await()
        .atMost(OneSlotCluster.LONG)
        .until(() -> cluster.hasAnswers("waiting") || running.isDone());

    List<ProcessHandle> workers = workers();
    assertThat(workers).hasSize(1);
    workers.get(0).destroyForcibly();

    Cartostream replay = running.get(2 * OneSlotCluster.LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(replay.exitCode()).as(replay.err()).isZero();
    assertThat(replay.out()).contains("restored");
    cluster.sameAsSerial("waiting");
  }

  private static List<ProcessHandle> workers() {
    return cluster.processes("-Dworker.port=").stream()
        .filter(each -> !each.info().commandLine().orElse("").contains("LogWriter"))
        .toList();
  }

  /** The one that lives is refused its end, and learns of it when it comes by force. */
  @Test
  void takesTheRunFromAProcessThatLivesByForceOnly() throws Exception {
    Process living = cluster.begun("living", 1);

    Cartostream refused = Cartostream.run(cluster.command("next"));
    assertThat(refused.complaint())
        .contains("'replay-office' is held by", ", process " + living.pid(), "by --force");
    assertThat(living.isAlive()).as("it is not disturbed").isTrue();

    Cartostream forced = Cartostream.run(cluster.command("next", "--force"));
    assertThat(forced.exitCode()).as(forced.err()).isZero();
    cluster.sameAsSerial("next");
    assertThat(living.waitFor(OneSlotCluster.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(living.exitValue()).isEqualTo(1);
    assertThat(cluster.printed("living")).content().contains("has taken the run of office away");
  }

  /** The killed one's folder, and what is left of it at the broker, are not in its way. */
  @Test
  void isBegunAnewToTheSameBytes() throws Exception {
    cluster.begun("anew", 5).destroyForcibly().waitFor();

    Cartostream anew = Cartostream.run(cluster.command("anew"));

    assertThat(anew.exitCode()).as(anew.err()).isZero();
    assertThat(anew.out()).doesNotContain("resumed ");
    cluster.sameAsSerial("anew");
  }

  /** The replay lives, and waits. */
  @Test
  void goesOnWhenTheBrokerWasKilled() throws Exception {
    Process replay = cluster.begun("broker", 5);
    long broker =
        cluster.cluster().states().stream()
            .filter(each -> each.role().equals(HostRole.BROKER.toString()))
            .findFirst()
            .orElseThrow()
            .pid();
    ProcessHandle server = ProcessHandle.of(broker).orElseThrow();
    List<ProcessHandle> all = Stream.concat(server.descendants(), Stream.of(server)).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join()); // Else its port is taken yet.
    cluster.restart();
    assertThat(replay.waitFor(OneSlotCluster.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(replay.exitValue()).as(Files.readString(cluster.printed("broker"))).isZero();
    cluster.sameAsSerial("broker");
  }
}
