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
class AdmissionLockTest {

  private static final long PATIENCE = 10;

  /** Whose readings had a turn. */
  private final List<String> turned = new ArrayList<>();

  private final AdmissionLock admissionLock = new AdmissionLock((run, reading) -> hold(run));

  private void hold(Run run) {
    if (run != null) {
      turned.add(run.robot());
    }
  }

  private PoisonReadingDetector search(String robot) {
    Run run = new Run(robot, 1, 1);
    return new PoisonReadingDetector(
        run, Optional.empty(), Runnable::run, (of, reading) -> {}, admissionLock, false);
  }

  /** Whose checkpoints had a turn that they had waited for. */
  private final List<String> begun = new ArrayList<>();

  private AdmissionLock.WaitingCheckpoint checkpoint(String robot) {
    return new AdmissionLock.WaitingCheckpoint() {
      @Override
      public void takeTurn() {
        begun.add(robot);
      }
    };
  }

  @Test
  void aReadingWaitsForACheckpointThatIsStoredAndThenTheOtherWayRound() {
    AdmissionLock.WaitingCheckpoint stored = checkpoint("r2");
    assertThat(admissionLock.mayStore(stored)).isTrue();
    PoisonReadingDetector reading = search("r1");
    admissionLock.ask(reading);
    assertThat(turned).isEmpty();
    admissionLock.stored(stored);
    assertThat(turned).containsExactly("r1");

    assertThat(admissionLock.mayStore(checkpoint("r2"))).isFalse();
    assertThat(begun).isEmpty();
    admissionLock.leave(reading);
    assertThat(begun).containsExactly("r2");
  }

  /** Not from when another one began to wait, which has left. */
  @Test
  void eachWaitsForAStoreThatHangsFromItsOwnBeginning() {
    admissionLock.mayStore(checkpoint("r3"));
    PoisonReadingDetector first = search("r1");
    admissionLock.ask(first);
    admissionLock.watch(first, 0, PATIENCE);
    admissionLock.leave(first);

    PoisonReadingDetector second = search("r2");
    admissionLock.ask(second);
    admissionLock.watch(second, 1000, PATIENCE);
    admissionLock.watch(second, 1000 + PATIENCE, PATIENCE);
    assertThat(turned).isEmpty();
    admissionLock.watch(second, 1001 + PATIENCE, PATIENCE);
    assertThat(turned).containsExactly("r2");
  }
}
