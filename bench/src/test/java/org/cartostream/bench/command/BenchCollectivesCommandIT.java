package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cartostream.bench.collectives.GroupLauncher;
import org.cartostream.cli.process.CommandProcess;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Nightly
class BenchCollectivesCommandIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Bench bench(String... more) {
    Object[] fixed = {"collectives", "--out", folder, "--launches", 1, "--members", 2};
    Object[] all = new Object[fixed.length + more.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Bench.run(all);
  }

  @Test
  void measuresTheSameWorkInThreadsAndJvmsAndBesideMpjExpressWhereItIs() throws IOException {
    Bench run =
        bench(
            "--operations",
            "broadcast,all-gather",
            "--bytes",
            "800",
            "--implementations",
            "MEMORY,TCP_JVMS,MPJ_THREADS");

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = Files.readAllLines(folder.resolve("bench-collectives.csv"));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("broadcast,auto,800,2,memory,threads,"))
        .anyMatch(line -> line.startsWith("all-gather,auto,800,2,tcp,JVMs,"));
    boolean mpj = GroupLauncher.missingMpj().isEmpty();
    assertThat(lines).hasSize(mpj ? 7 : 5);
    assertThat(run.err().contains("its columns are left out")).isEqualTo(!mpj);
    assertThat(folder.resolve("broadcast-800.svg")).content().contains("memory, threads");
  }

  /** Ctrl-C in a terminal ends the processes of the group that is being measured, too. */
  @Test
  void keepsTheGroupsThatWereMeasuredWhenInterrupted() throws Exception {
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] command =
        ("collectives --launches 1 --members 2,3 --operations broadcast --bytes 800,1000000"
                + " --implementations MEMORY --out "
                + folder)
            .split(" ");
    CompletableFuture<Integer> bench =
        CompletableFuture.supplyAsync(
            () ->
                CommandProcess.run(
                    new BenchCommand(() -> shutdownRequest),
                    command,
                    new PrintWriter(out, true),
                    new PrintWriter(err, true)));
    await().atMost(SOON).until(() -> err.toString().contains("3 members, memory in threads"));
    ProcessHandle group =
        await().atMost(SOON).until(BenchCollectivesCommandIT::group, Optional::isPresent).get();
    shutdownRequest.request(130);
    group.destroy();

    assertThat(bench.get(SOON.toSeconds(), TimeUnit.SECONDS)).as(err::toString).isEqualTo(130);
    assertThat(err.toString()).doesNotContain("bench:");
    assertThat(out.toString()).containsPattern("broadcast +auto +800 +2 ");
    assertThat(folder.resolve("bench-collectives.csv"))
        .content()
        .contains("\nbroadcast,auto,800,2,memory,threads,")
        .doesNotContain(",800,3,");
  }

  /** The only process that this one has at the time; the group before it has ended. */
  private static Optional<ProcessHandle> group() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .findFirst();
  }
}
