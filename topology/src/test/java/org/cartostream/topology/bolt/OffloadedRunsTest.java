package org.cartostream.topology.bolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.junit.jupiter.api.Test;

@Quick
class OffloadedRunsTest {

  private static final Future<?> DONE = CompletableFuture.completedFuture(null);

  private final OffloadedRuns runs = new OffloadedRuns();
  private final Run run = new Run("r1", 7, 1);
  private final List<String> done = new ArrayList<>();

  private boolean hold(String name) {
    return runs.hold(run, () -> done.add(name));
  }

  @Test
  void whatComesWaitsInItsOrderBehindWhatFollows() {
    assertThat(hold("before")).isFalse();
    runs.begin(run, DONE, () -> done.add("then"));
    assertThat(hold("one")).isTrue();
    assertThat(hold("two")).isTrue();
    assertThat(runs.hold(new Run("r2", 7, 1), () -> done.add("other"))).isFalse();
    assertThat(runs.has(run)).isTrue();
    assertThat(done).isEmpty();
    runs.end(run);
    assertThat(done).containsExactly("then", "one", "two");
    assertThat(runs.has(run)).isFalse();
  }

  @Test
  void whatIsLeftWaitsAgainWhereTheStateIsUsedAgain() {
    runs.begin(run, DONE, () -> done.add("then"));
    runs.hold(run, () -> runs.begin(run, DONE, () -> done.add("then again")));
    hold("left");
    runs.end(run);
    hold("later");
    assertThat(done).containsExactly("then");
    runs.end(run);
    assertThat(done).containsExactly("then", "then again", "left", "later");
  }

  @Test
  void nothingOfARunThatIsOverIsDone() {
    runs.begin(run, DONE, () -> done.add("then"));
    hold("one");
    runs.forget(run);
    runs.end(run);
    assertThat(done).isEmpty();
  }

  @Test
  void aStateIsUsedByOneThreadAtATime() {
    runs.begin(run, DONE, () -> {});
    assertThatThrownBy(() -> runs.begin(run, DONE, () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(run.toString());
  }

  /** The message that one has done may come after the next has begun, or be lost. */
  @Test
  void aMessageTooManyDoesNotEndWhatIsInUse() {
    runs.begin(run, DONE, () -> done.add("then"));
    assertThat(runs.done()).containsExactly(run);
    runs.end(run);
    assertThat(runs.done()).isEmpty();

    CompletableFuture<Void> next = new CompletableFuture<>();
    runs.begin(run, next, () -> done.add("then again"));
    runs.end(run);
    assertThat(runs.has(run)).isTrue();
    assertThat(runs.done()).isEmpty();
    assertThat(done).containsExactly("then");

    next.complete(null);
    assertThat(runs.done()).containsExactly(run);
    runs.end(run);
    assertThat(done).containsExactly("then", "then again");
  }
}
