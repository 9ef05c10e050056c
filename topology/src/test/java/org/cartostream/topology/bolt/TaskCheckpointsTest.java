package org.cartostream.topology.bolt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.testing.Quick;
import org.cartostream.topology.memory.EncodingBudget;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States of several runs that are encoded faster than the store takes them. */
@Quick
class TaskCheckpointsTest {

  private static final int BYTES = 2 << 20;

  private final Queue<Runnable> writes = new ArrayDeque<>();
  private final List<Payload.Stored> told = new ArrayList<>();
  private final StreamOutput<Payload.Stored> stored =
      new StreamPorts<Component.Matchers>(
              (stream, task, values) -> told.add((Payload.Stored) Stream.payload(values)))
          .out(Streams.STORED);

  @TempDir private Path folder;
  private TaskCheckpoints checkpoints;

  /** Of another task in the process. */
  private TaskCheckpoints others;

  @BeforeEach
  void open() {
    EncodingBudget budget = new EncodingBudget(3 * BYTES / 2);
    CheckpointStore store = CheckpointStore.at(folder.toString());
    checkpoints = new TaskCheckpoints(store, writes::add, budget, "matchers-0", System::nanoTime);
    others = new TaskCheckpoints(store, writes::add, budget, "matchers-1", System::nanoTime);
  }

  private static Run run(String robot) {
    return new Run(robot, 1, 1);
  }

  private boolean begins(String robot) {
    return checkpoints.begin(run(robot), 1, BYTES, stored);
  }

  private void encode(String robot) {
    checkpoints.encodeAndWrite(run(robot), 1, new byte[BYTES], stored);
  }

  @Test
  void waitInMemoryUpToABound() {
    assertThat(begins("r1")).as("it is the only one, however large").isTrue();
    encode("r1");
    assertThat(begins("r2")).isFalse();
    assertThat(told).singleElement().satisfies(this::saysThatOthersAreWritten);

    writes.remove().run();
    assertThat(told).last().extracting(Payload.Stored::failure).isEqualTo("");
    assertThat(begins("r2")).isTrue();
    assertThat(begins("r1")).as("r2's is being encoded").isFalse();
    checkpoints.end(run("r2"));
    assertThat(begins("r1")).isTrue();
  }

  private void saysThatOthersAreWritten(Payload.Stored message) {
    assertThat(message.run()).isEqualTo(run("r2"));
    assertThat(message.failure())
        .isEqualTo(
            "matchers-0: 2 MB of other states are still being written, and 3 are allowed at a time");
  }

  /** Else a run with more than the budget would have no checkpoint any more. */
  @Test
  void ofOneRunAreLetInTogetherIfNoOtherRunsAreThere() {
    assertThat(begins("r1")).isTrue();
    assertThat(others.begin(run("r1"), 1, BYTES, stored)).isTrue();
    assertThat(others.begin(run("r2"), 1, BYTES, stored)).isFalse();
    others.end(run("r1"));
    checkpoints.end(run("r1"));
    assertThat(begins("r2")).isTrue();
    assertThat(others.begin(run("r1"), 1, BYTES, stored)).as("r2's is there").isFalse();
  }

  /** What a small state takes is known when it is encoded. */
  @Test
  void smallOnesAreLetInAndCountAsWhatTheyTake() {
    assertThat(begins("r1")).isTrue();
    encode("r1");
    checkpoints.save(run("r2"), 1, "a small state", stored);
    assertThat(told).isEmpty();
    writes.remove().run();
    assertThat(begins("r3")).as("little of it is left").isTrue();
    checkpoints.end(run("r3"));
    writes.remove().run();
    assertThat(told).hasSize(2).allMatch(message -> message.failure().isEmpty());
  }
}
