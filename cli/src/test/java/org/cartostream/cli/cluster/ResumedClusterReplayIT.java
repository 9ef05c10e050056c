package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replay on a cluster that has the one slot it needs, whose process is killed or replaced: the
 * next command goes on, or begins anew, to the serial filter's bytes.
 */
@Nightly(cluster = true)
class ResumedClusterReplayIT {

  private static final List<String> FILES =
      List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml");
  private static final int SOME_ANSWERS_BYTES = 5000;
  private static final Duration LONG = Duration.ofSeconds(180);

  @TempDir private static Path folder;

  private static Path home;

  @BeforeAll
  static void up() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    home = folder.resolve("cluster");
    Cartostream up =
        Cartostream.run("cluster", "up", "--home", home, "--slots", 1, "--worker-heap", 300);
    assertThat(up.exitCode()).as(up.err()).isZero();
    assertThat(Cartostream.run(command("serial", "--engine", "serial")).exitCode()).isZero();
  }

  @AfterAll
  static void down() {
    if (home != null) {
      Cartostream.run("cluster", "down", "--home", home);
    }
  }

  private static Object[] command(String out, Object... more) {
    Object[] words = {"replay", Logs.OFFICE, "--particles", 12, "--out", folder.resolve(out)};
    return Stream.of(words, more).flatMap(Stream::of).toArray();
  }

  /** One in a process of its own, at the log's pace times {@code rate}, that has answers. */
  private static Process begun(String out, int rate) throws IOException {
    Object[] command =
        command(out, "--cluster", home, "--rate", rate, "--set", "checkpoint.everySeconds=0.001");
    Process process = CartostreamProcess.start(folder.resolve(out + ".txt"), command);
    await().atMost(LONG).until(() -> hasAnswers(out) || !process.isAlive());
    assertThat(process.isAlive()).as(Files.readString(folder.resolve(out + ".txt"))).isTrue();
    return process;
  }

  private static boolean hasAnswers(String out) throws IOException {
    Path journal = folder.resolve(out).resolve(RunCheckpoints.FOLDER).resolve(RunJournal.FILE);
    return Files.exists(journal) && Files.size(journal) > SOME_ANSWERS_BYTES;
  }

  private static void sameAsSerial(String out) {
    for (String name : FILES) {
      assertThat(folder.resolve(out).resolve(name))
          .hasSameBinaryContentAs(folder.resolve("serial").resolve(name));
    }
  }

  @Test
  void goesOnThoughItsTopologyHasTheSlot() throws Exception {
    Process killed = begun("killed", 5);
    killed.destroyForcibly().waitFor();

    Cartostream resumed = Cartostream.run(command("killed", "--cluster", home, "--resume"));

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("resumed      behind reading ");
    assertThat(resumed.err()).contains("'replay-office' is held by", "process " + killed.pid());
    sameAsSerial("killed");
  }

  /** On a busy machine it is away for longer than a replay waits where nobody starts it again. */
  @Test
  void waitsForAWorkerThatStormStartsAgain() throws Exception {
    Object[] impatient = {"--cluster", home, "--set", "gateway.answerTimeoutSeconds=15"};
    Object[] slow = {"--rate", 4, "--set", "checkpoint.everySeconds=1"};
    Object[] command = command("waiting", Stream.of(impatient, slow).flatMap(Stream::of).toArray());
    CompletableFuture<Cartostream> running =
        CompletableFuture.supplyAsync(() -> Cartostream.run(command));
    await().atMost(LONG).until(() -> hasAnswers("waiting") || running.isDone());

    List<ProcessHandle> workers = workers();
    assertThat(workers).hasSize(1);
    workers.get(0).destroyForcibly();

    Cartostream replay = running.get(2 * LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(replay.exitCode()).as(replay.err()).isZero();
    assertThat(replay.out()).contains("restored");
    sameAsSerial("waiting");
  }

  private static List<ProcessHandle> workers() {
    return Cluster.at(ClusterHome.of(home.toString())).processes().values().stream()
        .flatMap(List::stream)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .filter(
            process -> {
              String line = process.info().commandLine().orElse("");
              return line.contains("-Dworker.port=") && !line.contains("LogWriter");
            })
        .toList();
  }

  /** The one that lives is refused its end, and learns of it when it comes by force. */
  @Test
  void takesTheRunFromAProcessThatLivesByForceOnly() throws Exception {
    Process living = begun("living", 1);

    Cartostream refused = Cartostream.run(command("next", "--cluster", home));
    assertThat(refused.complaint())
        .contains("'replay-office' is held by", ", process " + living.pid(), "by --force");
    assertThat(living.isAlive()).as("it is not disturbed").isTrue();

    Cartostream forced = Cartostream.run(command("next", "--cluster", home, "--force"));
    assertThat(forced.exitCode()).as(forced.err()).isZero();
    sameAsSerial("next");
    assertThat(living.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(living.exitValue()).isEqualTo(1);
    assertThat(folder.resolve("living.txt")).content().contains("has taken the run of office away");
  }
}
