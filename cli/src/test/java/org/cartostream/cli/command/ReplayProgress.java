package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a run in another process is, by its whole checkpoints.
 *
 * @param checkpoints the folder in which, or below which, they are
 */
record ReplayProgress(Path checkpoints) {

  private static final Duration SOON = Duration.ofMinutes(3);

  /** Until a checkpoint is stored. */
  void untilSomewhere(Process process) {
    until(process, () -> !manifests().isEmpty());
  }

  /** Until one more is stored than there is now. */
  void untilALaterCheckpoint(Process process) {
    untilSomewhere(process);
    Set<Path> before = manifests();
    until(process, () -> !before.containsAll(manifests()));
  }

  private static void until(Process process, Callable<Boolean> condition) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> condition.call() || !process.isAlive());
    assertThat(process.isAlive()).as("it has not ended yet").isTrue();
  }

  private Set<Path> manifests() {
    if (!Files.exists(checkpoints)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files.filter(each -> each.toString().endsWith(".json")).collect(Collectors.toSet());
    } catch (IOException | UncheckedIOException movedMeanwhile) {
      return Set.of();
    }
  }
}
