package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.TestingServer;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members are processes, and one of them is killed, as a worker of a cluster may be. */
@Default
class KilledProcessIT {

  private static final int SIZE = 3;
  private static final int VICTIM = 1;

  @TempDir private Path folder;

  @Test
  void everySurvivorSaysWhoIsGone() throws Exception {
    List<Process> members = new ArrayList<>();
    try (TestingServer zookeeper = new TestingServer()) {
      for (int rank = 0; rank < SIZE; rank++) {
        members.add(start(zookeeper.getConnectString(), rank));
      }
      for (int rank = 0; rank < SIZE; rank++) {
        int each = rank;
        await().atMost(Duration.ofSeconds(120)).until(() -> said(each).contains("round 3\n"));
      }
      members.get(VICTIM).destroyForcibly();
      for (int rank = 0; rank < SIZE; rank++) {
        if (rank != VICTIM) {
          assertThat(members.get(rank).waitFor(120, TimeUnit.SECONDS))
              .as("rank %d: %s", rank, said(rank))
              .isTrue();
          assertThat(said(rank).lines().reduce("", (before, line) -> line))
              .startsWith("end: ")
              .contains("rank " + VICTIM);
        }
      }
    } finally {
      members.forEach(Process::destroyForcibly);
    }
  }

  private Process start(String zookeeper, int rank) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            SurvivingMember.class.getName(),
            zookeeper,
            Integer.toString(rank),
            Integer.toString(SIZE))
        .redirectOutput(file(rank).toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private Path file(int rank) {
    return folder.resolve("rank-" + rank);
  }

  private String said(int rank) {
    try {
      return Files.exists(file(rank)) ? Files.readString(file(rank)) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
