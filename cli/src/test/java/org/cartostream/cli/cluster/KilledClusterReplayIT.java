package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.cli.cluster.OneSlotCluster.RESUMED_SOON;
import static org.cartostream.cli.cluster.OneSlotCluster.SOON;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A replay on a cluster that is killed (kill -9) on its way, once or twice: it is gone on with to
 * the serial filter's bytes. {@link ClusterReplayKilledAtItsEndIT} has the moments after that.
 */
@Nightly(cluster = true)
class KilledClusterReplayIT {

  @TempDir private static Path folder;

  private static OneSlotCluster cluster;

  /** When, and what is killed. */
  private enum Moment {
    /** The replay, and every process of the cluster, which is revived then. */
    ALL_AT_ONCE,

    /** Who goes on with it is killed, too, before it has got anywhere. */
    TWICE_WITHIN_TWO_SECONDS,

    /** Who goes on with it is killed while its topology starts. */
    IN_RECOVERY
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
    cluster.resumeToTheSameBytes(out);
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
        Process second = cluster.start(out, RESUMED_SOON);
        second.waitFor(2, TimeUnit.SECONDS);
        second.destroyForcibly().waitFor();
      }
      case IN_RECOVERY -> {
        cluster.begun(out, 5, SOON).destroyForcibly().waitFor();
        String before = topology();
        Process second = cluster.start(out, RESUMED_SOON);
        OneSlotCluster.awaitWhile(
            second, () -> !topology().isEmpty() && !topology().equals(before));
        assertThat(second.isAlive()).as(Files.readString(cluster.printed(out))).isTrue();
        second.destroyForcibly().waitFor();
      }
    }
  }

  /** Storm's id of the topology; empty if there is none, or Nimbus does not say. */
  private static String topology() {
    try {
      return cluster.cluster().nimbus().idOf("replay-office");
    } catch (Exception e) {
      return "";
    }
  }
}
