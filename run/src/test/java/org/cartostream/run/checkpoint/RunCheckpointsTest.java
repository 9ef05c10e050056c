package org.cartostream.run.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.checkpoint.CheckpointSettings;
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

  @Test
  void aStateThatTakesLongToEncodeIsEncodedForAFortiethOfTheTime() {
    try (RunCheckpoints checkpoints =
        new RunCheckpoints(
            CheckpointUse.WRITE,
            CheckpointSettings.every(1),
            folder,
            "r1",
            Map.of(),
            this::look,
            notice -> {})) {
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
