package org.cartostream.topology.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class EpochCounterTest {

  private static final long TERM = 1L << 32;

  @Test
  void epochsOfALaterDispatcherComeAfterAllBefore() {
    EpochCounter first = new EpochCounter(1);
    assertThat(first.next()).isLessThan(first.next());
    assertThat(new EpochCounter(2).next()).isGreaterThan(first.next());
  }

  /** Else a later dispatcher, which does not find that checkpoint, would begin the same epochs. */
  @Test
  void aCheckpointOfAnEarlierDispatcherOfTheSameServiceChangesNothing() {
    EpochCounter third = new EpochCounter(3);
    assertThat(third.nextAfter(2 * TERM + 5)).isEqualTo(3 * TERM);
    assertThat(third.nextAfter(0)).isLessThan(new EpochCounter(4).next());
  }

  /** Its dispatchers counted by themselves, and came further. */
  @Test
  void behindACheckpointOfAnotherServiceItGoesOn() {
    EpochCounter first = new EpochCounter(1);
    long epoch = first.nextAfter(7 * TERM + 5);
    assertThat(epoch).isGreaterThan(7 * TERM + 5);
    assertThat(first.next()).isGreaterThan(epoch);
    assertThat(new EpochCounter(2).nextAfter(7 * TERM + 5)).isGreaterThan(first.next());
  }
}
