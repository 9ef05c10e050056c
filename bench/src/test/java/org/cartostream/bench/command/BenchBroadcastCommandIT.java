package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Nightly
class BenchBroadcastCommandIT {

  @TempDir private Path folder;

  private Bench bench(Object... more) {
    Object[] fixed = {"broadcast", "--out", folder, "--messages", 20, "--pause", 1};
    Object[] all = new Object[fixed.length + more.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Bench.run(all);
  }

  /** Storm serializes for each of the six tasks of the other three processes. */
  @Test
  void aKeyFrameIsSerializedOnceByPlaceAndForEachRemoteTaskByStorm() throws IOException {
    Bench run = bench("--tasks", 8, "--bytes", 65536);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readAllLines(folder.resolve("broadcast.csv")))
        .satisfiesExactly(
            head -> assertThat(head).startsWith("road,tasks,bytes,serializations,"),
            place -> assertThat(place).startsWith("place,8,65536,1,"),
            storm -> assertThat(storm).startsWith("all-grouping,8,65536,6,"));
  }

  @Test
  void refusesWhatCannotBeMeasured() {
    assertThat(bench("--tasks", 3).err()).contains("--tasks 3: each of 4 processes has a task");
    assertThat(bench("--hosts", "a").err()).contains("--hosts a: should be as a-1=10.0.0.1,");
  }
}
