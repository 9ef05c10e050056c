package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.topology.run.Run;
import org.junit.jupiter.api.Test;

class MusterTest {

  private static final Run RUN = new Run("r1", 1, 0);

  private final Muster muster = new Muster(3);

  private boolean hears(long round, int task) {
    return muster.isCompletedBy(new Payload.Mark(RUN, round, task));
  }

  @Test
  void isCompleteOnceAllHaveComeAndOnceMoreWheneverAllHaveComeAgain() {
    assertThat(hears(1, 0)).isFalse();
    assertThat(hears(1, 1)).isFalse();
    assertThat(hears(1, 0)).as("asked again, before the last came").isFalse();
    assertThat(hears(1, 2)).isTrue();
    assertThat(hears(1, 1)).isFalse();
    assertThat(hears(1, 2)).as("all for the second time").isTrue();
    assertThat(hears(1, 0)).isFalse();
  }

  @Test
  void marksOfAnEarlierRoundSayNothing() {
    hears(1, 0);
    hears(1, 1);
    assertThat(hears(2, 2)).isFalse();
    assertThat(hears(1, 2)).isFalse();
    assertThat(hears(2, 0)).isFalse();
    assertThat(hears(2, 1)).isTrue();
  }
}
