package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay whose broker goes for good. */
@Nightly
class BrokenReplayIT {

  private static final Duration SOON = Duration.ofSeconds(120);

  @TempDir private Path folder;

  @Test
  void saysWhatWentAndWhenAndLeavesThePosesThatWereAnswered() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    CompletableFuture<Cartostream> run;
    try {
      Object[] command = {
        "replay",
        Logs.OFFICE,
        "--broker",
        broker.uri(),
        "--particles",
        10,
        "--rate",
        5,
        "--out",
        folder,
        "--set",
        "gateway.answerTimeoutSeconds=3",
        "--set",
        "topology.mapIntervalSeconds=0"
      };
      run = CompletableFuture.supplyAsync(() -> Cartostream.run(command));
      Awaitility.await().atMost(SOON).until(() -> Files.exists(folder.resolve("map.pgm")));
    } finally {
      broker.close();
    }
    Cartostream ended = run.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.complaint())
        .containsPattern(
            "the broker has been away for 30 s: \\d\\d:\\d\\d:\\d\\d .*no broker answers at")
        .contains("; the same command with --resume goes on", "what was done until then is in");
    assertThat(folder.resolve("trajectory.tum"))
        .isNotEmptyFile()
        .hasSameBinaryContentAs(folder.resolve("live.tum"));
    assertThat(folder.resolve("run.state")).doesNotExist();
  }
}
