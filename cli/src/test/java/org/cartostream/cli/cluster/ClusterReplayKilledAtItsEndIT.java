package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replay on a cluster that is killed (kill -9) when its readings are answered, while its results
 * are half done: it is gone on with, or begun anew, to the serial filter's bytes.
 */
@Nightly(cluster = true)
class ClusterReplayKilledAtItsEndIT {

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
  void whileThePathsLoopsAreClosed() throws Exception {
    long all = lines(cluster.file("serial", "live.tum"));
    isResumed("loops", () -> lines(cluster.file("loops", "live.tum")) >= all);
  }

  /** The path or the map is there, or a part of it. */
  @Test
  void whileFilesAreWritten() throws Exception {
    isResumed("files", () -> isBegun(cluster.file("files", "")));
  }

  private static void isResumed(String out, Callable<Boolean> due) throws Exception {
    Process replay = cluster.start(out, OneSlotCluster.SOON);
    OneSlotCluster.awaitWhile(replay, due);
    replay.destroyForcibly().waitFor();
    cluster.resumeToTheSameBytes(out);
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
