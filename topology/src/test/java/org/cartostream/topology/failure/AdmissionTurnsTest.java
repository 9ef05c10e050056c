package org.cartostream.topology.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.junit.jupiter.api.Test;

/** Who waits for whom, where readings are admitted one at a time. */
@Quick
class AdmissionTurnsTest {

  private static final long PATIENCE = 10;

  /** Whose readings had a turn. */
  private final List<String> turned = new ArrayList<>();

  private final AdmissionTurns turns = new AdmissionTurns((run, reading) -> hold(run));

  private void hold(Run run) {
    if (run != null) {
      turned.add(run.robot());
    }
  }

  private FatalReadingSearch search(String robot) {
    Run run = new Run(robot, 1, 1);
    return new FatalReadingSearch(
        run, Optional.empty(), Runnable::run, (of, reading) -> {}, turns, false);
  }

  private CheckpointTurn checkpoint() {
    return new CheckpointTurn(turns, (of, reading) -> {});
  }

  @Test
  void aReadingWaitsForACheckpointThatIsStoredAndThenTheOtherWayRound() {
    CheckpointTurn stored = checkpoint();
    assertThat(stored.take(new Run("r2", 1, 1))).isTrue();
    FatalReadingSearch reading = search("r1");
    turns.ask(reading);
    assertThat(turned).isEmpty();
    stored.end();
    assertThat(turned).containsExactly("r1");

    CheckpointTurn next = checkpoint();
    assertThat(next.take(new Run("r2", 1, 1))).isFalse();
    assertThat(next.isWaited()).isTrue();
    turns.leave(reading);
    assertThat(next.isTaken()).isTrue();
  }

  /** Not from when another one began to wait, which has left. */
  @Test
  void eachWaitsForAStoreThatHangsFromItsOwnBeginning() {
    checkpoint().take(new Run("r3", 1, 1));
    FatalReadingSearch first = search("r1");
    turns.ask(first);
    turns.watch(first, 0, PATIENCE);
    turns.leave(first);

    FatalReadingSearch second = search("r2");
    turns.ask(second);
    turns.watch(second, 1000, PATIENCE);
    turns.watch(second, 1000 + PATIENCE, PATIENCE);
    assertThat(turned).isEmpty();
    turns.watch(second, 1001 + PATIENCE, PATIENCE);
    assertThat(turned).containsExactly("r2");
  }
}
