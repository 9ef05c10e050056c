package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A replay on a cluster that is killed (kill -9) at each moment at which something is half done: it
 * is gone on with, or begun anew, to the serial filter's bytes.
 */
@Nightly(cluster = true)
class KilledClusterReplayIT {

  /** So short a session is all that ZooKeeper grants: a dead process is waited for not as long. */
  private static final Object[] SOON = {"--set", "registry.sessionSeconds=4"};

  @TempDir private static Path folder;

  private static OneSlotCluster cluster;

  /** When, and what is killed. */
  private enum Moment {
    /** The replay, and every process of the cluster, which is revived then. */
    ALL_AT_ONCE,

    /** Who goes on with it is killed, too, before it has got anywhere. */
    TWICE_WITHIN_TWO_SECONDS,

    /** Who goes on with it is killed while its topology starts. */
    IN_RECOVERY,

    /** All readings are answered, and the path's loops are being closed. */
    WHILE_LOOPS_ARE_CLOSED,

    /** The path or the map is there, or a part of it. */
    WHILE_FILES_ARE_WRITTEN
  }

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

  @ParameterizedTest
  @EnumSource(Moment.class)
  void isResumedToTheSameBytes(Moment moment) throws Exception {
    String out = moment.name();
    kill(moment, out);

    Cartostream resumed = Cartostream.run(cluster.command(out, with("--resume")));

    if (resumed.err().contains("there is nothing to resume")) {
      resumed = Cartostream.run(cluster.command(out, SOON)); // All was written: it had ended.
    }
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    cluster.sameAsSerial(out);
  }

  private static void kill(Moment moment, String out) throws Exception {
    switch (moment) {
      case ALL_AT_ONCE -> {
        Process replay = cluster.begun(out, 5, SOON);
        cluster.processes("").forEach(ProcessHandle::destroyForcibly);
        replay.destroyForcibly().waitFor();
        cluster.restart();
      }
      case TWICE_WITHIN_TWO_SECONDS -> {
        cluster.begun(out, 5, SOON).destroyForcibly().waitFor();
        Process second = cluster.start(out, with("--resume"));
        second.waitFor(2, TimeUnit.SECONDS);
        second.destroyForcibly().waitFor();
      }
      case IN_RECOVERY -> {
        cluster.begun(out, 5, SOON).destroyForcibly().waitFor();
        String before = topology();
        Process second = cluster.start(out, with("--resume"));
        OneSlotCluster.awaitWhile(
            second, () -> !topology().isEmpty() && !topology().equals(before));
        assertThat(second.isAlive()).as(Files.readString(cluster.printed(out))).isTrue();
        second.destroyForcibly().waitFor();
      }
      case WHILE_LOOPS_ARE_CLOSED -> {
        long all = Files.readAllLines(cluster.file("serial", "live.tum")).size();
        killWhen(out, () -> lines(cluster.file(out, "live.tum")) >= all);
      }
      case WHILE_FILES_ARE_WRITTEN -> killWhen(out, () -> isBegun(cluster.file(out, "")));
    }
  }

  private static void killWhen(String out, Callable<Boolean> due) throws Exception {
    Process replay = cluster.start(out, SOON);
    OneSlotCluster.awaitWhile(replay, due);
    replay.destroyForcibly().waitFor();
  }

  private static Object[] with(Object word) {
    return Stream.concat(Stream.of(SOON), Stream.of(word)).toArray();
  }

  /** Storm's id of the topology; empty if there is none, or Nimbus does not say. */
  private static String topology() {
    try {
      return cluster.cluster().nimbus().idOf("replay-office");
    } catch (Exception e) {
      return "";
    }
  }

  private static long lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  private static boolean isBegun(Path out) throws IOException {
    if (!Files.exists(out)) {
      return false;
    }
    try (Stream<Path> files = Files.list(out)) {
      return files.anyMatch(each -> each.getFileName().toString().contains("trajectory"));
    }
  }
}
