package org.cartostream.run.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.RunState;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class RunCheckpointsTest {

  @TempDir private Path folder;

  private long nanos;
  private long nanosEachLook;

  private long look() {
    nanos += nanosEachLook;
    return nanos;
  }

  private void pass(double seconds) {
    nanos += (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  private RunCheckpoints open() {
    return new RunCheckpoints(
        CheckpointUse.WRITE,
        CheckpointSettings.every(1),
        folder,
        "r1",
        Map.of(),
        this::look,
        notice -> {});
  }

  /** As when the disk of the checkpoints is full from reading 46 on. */
  @Test
  void aStateThatIsNotOfTheRunsEndSaysSo() throws Exception {
    try (RunCheckpoints checkpoints = open()) {
      checkpoints.finish(46, "what is known then");
    }
    String there = folder.resolve(RunCheckpoints.FOLDER).toString();
    assertThat(RunCheckpoints.keepState(there, "r1", "", folder, 46, Optional.empty())).isEmpty();
    assertThat(RunState.open(folder.resolve(RunState.FILE)).manifest().hasAll()).isTrue();

    assertThat(RunCheckpoints.keepState(there, "r1", "", folder, 320, Optional.empty()))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("it is of reading 46 of 320 of 'r1', not its end: no later")
                    .contains("make room in " + there));
    assertThat(
            RunCheckpoints.keepState(there, "r1", "", folder, 320, Optional.of("no memory for it")))
        .hasValueSatisfying(
            why -> assertThat(why).contains("no memory for it").doesNotContain("make room"));
    Manifest left = RunState.open(folder.resolve(RunState.FILE)).manifest();
    assertThat(left.id().reading()).isEqualTo(46);
    assertThat(left.readings()).isEqualTo(320);
    assertThat(left.hasAll()).isFalse();
  }

  @Test
  void aStateThatTakesLongToEncodeIsEncodedForAFortiethOfTheTime() {
    try (RunCheckpoints checkpoints = open()) {
      nanosEachLook = TimeUnit.SECONDS.toNanos(2);
      checkpoints.finish(1, "what takes two seconds"); // While it is written, no other is due.
      nanosEachLook = 0;
      pass(77.9); // And two for it.
      assertThat(checkpoints.isDue()).isFalse();
      pass(0.1);
      assertThat(checkpoints.isDue()).isTrue();
    }
  }
}
