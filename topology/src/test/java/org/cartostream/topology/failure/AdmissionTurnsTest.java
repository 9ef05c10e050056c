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

  /** Whose checkpoints had a turn that they had waited for. */
  private final List<String> begun = new ArrayList<>();

  private AdmissionTurns.WaitingCheckpoint checkpoint(String robot) {
    return new AdmissionTurns.WaitingCheckpoint() {
      @Override
      public void takeTurn() {
        begun.add(robot);
      }
    };
  }

  @Test
  void aReadingWaitsForACheckpointThatIsStoredAndThenTheOtherWayRound() {
    AdmissionTurns.WaitingCheckpoint stored = checkpoint("r2");
    assertThat(turns.mayStore(stored)).isTrue();
    FatalReadingSearch reading = search("r1");
    turns.ask(reading);
    assertThat(turned).isEmpty();
    turns.stored(stored);
    assertThat(turned).containsExactly("r1");

    assertThat(turns.mayStore(checkpoint("r2"))).isFalse();
    assertThat(begun).isEmpty();
    turns.leave(reading);
    assertThat(begun).containsExactly("r2");
  }

  /** Not from when another one began to wait, which has left. */
  @Test
  void eachWaitsForAStoreThatHangsFromItsOwnBeginning() {
    turns.mayStore(checkpoint("r3"));
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
