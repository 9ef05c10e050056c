package org.cartostream.topology.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.connection.Receiver.Receipt;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.junit.jupiter.api.Test;

@Quick
class PendingAcksTest {

  private static final Run RUN = new Run("r1", 7, 0);

  private final PendingAcks pendingAcks = new PendingAcks();
  private final List<Long> acknowledged = new ArrayList<>();

  /** The receiver's thread adds while the dispatcher's thread looks at a run that begins. */
  @Test
  void aMessageMayComeWhileARunsReceiptsAreLookedAt() {
    for (long number = 1; number <= 3; number++) {
      long next = 10 + number;
      pendingAcks.add(
          RUN,
          number,
          new Receipt() {
            @Override
            public void acknowledge() {}

            @Override
            public boolean isRedelivered() {
              pendingAcks.add(RUN, next, () -> {});
              return false;
            }
          });
    }
    assertThat(pendingAcks.haveRedelivered(RUN)).isFalse();
    assertThat(pendingAcks.count(RUN)).isEqualTo(6);
  }

  /** The robot has sent it again while there was no dispatcher: another one had it all the same. */
  @Test
  void aMessageThatWasRedeliveredIsStillSoWhenItHasComeOnceMore() {
    pendingAcks.add(RUN, 1, redelivered(1));
    pendingAcks.add(RUN, 1, () -> acknowledged.add(2L));
    assertThat(pendingAcks.haveRedelivered(RUN)).isTrue();
    assertThat(pendingAcks.count(RUN)).isOne();
    pendingAcks.acknowledgeUpTo(RUN, 1);
    assertThat(acknowledged).containsExactly(1L, 2L);
    assertThat(pendingAcks.haveRedelivered(RUN)).isFalse();
  }

  private Receipt redelivered(long its) {
    return new Receipt() {
      @Override
      public void acknowledge() {
        acknowledged.add(its);
      }

      @Override
      public boolean isRedelivered() {
        return true;
      }
    };
  }

  @Test
  void readingsAreAcknowledgedUpToANumberAndCountedNoMore() {
    for (long number = 1; number <= 4; number++) {
      long its = number;
      pendingAcks.add(RUN, number, () -> acknowledged.add(its));
    }
    pendingAcks.acknowledgeUpTo(RUN, 2);
    pendingAcks.acknowledge(RUN, 4);
    assertThat(acknowledged).containsExactly(1L, 2L, 4L);
    assertThat(pendingAcks.count(RUN)).isOne();
    assertThat(pendingAcks.count()).isOne();
    pendingAcks.acknowledgeUpTo(RUN, PendingAcks.END);
    assertThat(pendingAcks.count()).isZero();
  }
}
