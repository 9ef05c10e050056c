package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.junit.jupiter.api.Assumptions;

/** A cluster with one slot, replays on it, and what the serial filter makes of their log. */
final class OneSlotCluster implements AutoCloseable {

  static final Duration LONG = Duration.ofSeconds(180);

  /** So short a session is all that ZooKeeper grants: a dead process is waited for not as long. */
  static final Object[] SOON = {"--set", "registry.sessionSeconds=4"};

  static final Object[] RESUMED_SOON = {SOON[0], SOON[1], "--resume"};

  private static final List<String> FILES =
      List.of("trajectory.tum", "live.tum", "live.covariance.csv", "map.pgm", "map.yaml");
  private static final int SOME_ANSWERS_BYTES = 5000;

  private final Path folder;
  private final Path home;

  private OneSlotCluster(Path folder) {
    this.folder = folder;
    this.home = folder.resolve("cluster");
  }

  /** Skips the test where there is no RabbitMQ. */
  static OneSlotCluster up(Path folder) {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    OneSlotCluster made = new OneSlotCluster(folder);
    Cartostream up =
        Cartostream.run("cluster", "up", "--home", made.home, "--slots", 1, "--worker-heap", 300);
    assertThat(up.exitCode()).as(up.err()).isZero();
    Object[] serial = made.words("serial", "--engine", "serial");
    assertThat(Cartostream.run(serial).exitCode()).isZero();
    return made;
  }

  private Object[] words(String out, Object... more) {
    Object[] words = {"replay", Logs.OFFICE, "--particles", 12, "--out", folder.resolve(out)};
    return Stream.of(words, more).flatMap(Stream::of).toArray();
  }

  /** The words of a replay on it. */
  Object[] command(String out, Object... more) {
    Object[] here = {"--cluster", home};
    return words(out, Stream.of(here, more).flatMap(Stream::of).toArray());
  }

  /** A replay in a process of its own, which checkpoints as often as it can. */
  Process start(String out, Object... more) throws IOException {
    Object[] often = {"--set", "checkpoint.everySeconds=0.001"};
    Object[] command = command(out, Stream.of(often, more).flatMap(Stream::of).toArray());
    return CartostreamProcess.start(folder.resolve(out + ".txt"), command);
  }

  /** The same at the log's pace times {@code rate}, which has answers. */
  Process begun(String out, int rate, Object... more) throws IOException {
    Object[] paced = {"--rate", rate};
    Process process = start(out, Stream.of(paced, more).flatMap(Stream::of).toArray());
    awaitWhile(process, () -> hasAnswers(out));
    assertThat(process.isAlive()).as(Files.readString(folder.resolve(out + ".txt"))).isTrue();
    return process;
  }

  static void awaitWhile(Process process, Callable<Boolean> done) {
    await()
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> !process.isAlive() || done.call());
  }

  boolean hasAnswers(String out) throws IOException {
    Path journal = folder.resolve(out).resolve(RunCheckpoints.FOLDER).resolve(RunJournal.FILE);
    return Files.exists(journal) && Files.size(journal) > SOME_ANSWERS_BYTES;
  }

  /** What a replay in a process of its own has printed. */
  Path printed(String out) {
    return folder.resolve(out + ".txt");
  }

  /** A file of a replay, or of {@code serial}. */
  Path file(String out, String name) {
    return folder.resolve(out).resolve(name);
  }

  void sameAsSerial(String out) {
    for (String name : FILES) {
      assertThat(file(out, name)).hasSameBinaryContentAs(file("serial", name));
    }
  }

  /** Resumes a replay that was killed, or begins it anew if it had ended: with the same bytes. */
  void resumeToTheSameBytes(String out) {
    Cartostream resumed = Cartostream.run(command(out, RESUMED_SOON));
    if (resumed.err().contains("there is nothing to resume")) {
      resumed = Cartostream.run(command(out, SOON)); // All was written: it had ended.
    }
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    sameAsSerial(out);
  }

  Cluster cluster() {
    return Cluster.at(ClusterHome.of(home.toString()));
  }

  /** Processes of the cluster whose command line has this word. */
  List<ProcessHandle> processes(String word) {
    return cluster().processes().values().stream()
        .flatMap(List::stream)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .filter(process -> process.info().commandLine().orElse("").contains(word))
        .toList();
  }

  /** Has the servers that were killed started again. */
  void restart() {
    Cartostream restart = Cartostream.run("cluster", "revive", "--home", home);
    assertThat(restart.exitCode()).as(restart.err()).isZero();
  }

  @Override
  public void close() {
    Cartostream.run("cluster", "down", "--yes", "--home", home);
  }
}
