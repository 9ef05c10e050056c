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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members are processes, and one of them is killed, as a worker of a cluster may be. */
@Default
class KilledProcessIT {

  private static final int SIZE = 3;
  private static final int VICTIM = 1;

  @TempDir private Path folder;

  private interface Prefix {

    /** The words before a member's command. */
    List<String> of(List<Process> started);
  }

  /** A host of its own, as far as shared memory is concerned. */
  private static List<String> otherHost(String size) {
    String mount = "mount -t tmpfs -o size=" + size + " tmpfs /dev/shm && exec \"$@\"";
    return List.of("unshare", "--mount", "sh", "-c", mount, "sh");
  }

  @Test
  void overTcpEverySurvivorSaysWhoIsGone() throws Exception {
    assertThat(survive("tcp", started -> List.of())).noneMatch(KilledProcessIT::isShared);
  }

  @Test
  void overSharedMemoryEverySurvivorSaysWhoIsGone() throws Exception {
    assertThat(survive("shared-memory", started -> List.of())).allMatch(KilledProcessIT::isShared);
  }

  @Test
  void membersOnTwoHostsNeverMapOneFile() throws Exception {
    assumeNamespaces();
    assertThat(survive("shared-memory", started -> otherHost("1g")))
        .noneMatch(KilledProcessIT::isShared);
  }

  @Test
  void aFullSharedMemoryIsSaidAndDoesNotMatter() throws Exception {
    assumeNamespaces();
    List<String> maps =
        survive(
            "shared-memory",
            started ->
                started.isEmpty()
                    ? otherHost("100k")
                    : List.of("nsenter", "--mount", "-t", Long.toString(started.get(0).pid())));
    assertThat(maps).noneMatch(KilledProcessIT::isShared);
    assertThat(said(0)).contains("sends to rank 2 by TCP: No space left on device");
  }

  private static void assumeNamespaces() throws Exception {
    Process process =
        new ProcessBuilder("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
            .start();
    Assumptions.assumeTrue(process.waitFor() == 0, "mount namespaces need root");
  }

  private static boolean isShared(String maps) {
    return maps.contains("/dev/shm/cartostream-");
  }

  /** Kills a member; returns what files each had mapped before. */
  private List<String> survive(String transport, Prefix prefix) throws Exception {
    List<Process> members = new ArrayList<>();
    List<String> maps = new ArrayList<>();
    try (TestingServer zookeeper = new TestingServer()) {
      for (int rank = 0; rank < SIZE; rank++) {
        List<String> before = prefix.of(members);
        members.add(start(before, zookeeper.getConnectString(), rank, transport));
        await().atMost(Duration.ofSeconds(60)).until(() -> hasBegun(members));
      }
      for (int rank = 0; rank < SIZE; rank++) {
        int each = rank;
        await().atMost(Duration.ofSeconds(120)).until(() -> said(each).contains("round 3\n"));
        maps.add(Files.readString(Path.of("/proc/" + members.get(rank).pid() + "/maps")));
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
      return maps;
    } finally {
      members.forEach(Process::destroyForcibly);
    }
  }

  /** The next may enter this one's namespace once it is Java. */
  private static boolean hasBegun(List<Process> members) {
    return members.get(members.size() - 1).info().command().orElse("").endsWith("java");
  }

  private Process start(List<String> prefix, String zookeeper, int rank, String transport)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            SurvivingMember.class.getName(),
            zookeeper,
            Integer.toString(rank),
            Integer.toString(SIZE),
            transport));
    return new ProcessBuilder(command)
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
