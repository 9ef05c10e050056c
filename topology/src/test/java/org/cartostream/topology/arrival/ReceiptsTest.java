package org.cartostream.topology.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.connection.Receiver.Receipt;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.junit.jupiter.api.Test;

@Quick
class ReceiptsTest {

  private static final Run RUN = new Run("r1", 7, 0);

  private final Receipts receipts = new Receipts();
  private final List<Long> acknowledged = new ArrayList<>();

  /** The receiver's thread adds while the dispatcher's thread looks at a run that begins. */
  @Test
  void aMessageMayComeWhileARunsReceiptsAreLookedAt() {
    for (long number = 1; number <= 3; number++) {
      long next = 10 + number;
      receipts.add(
          RUN,
          number,
          new Receipt() {
            @Override
            public void acknowledge() {}

            @Override
            public boolean isRedelivered() {
              receipts.add(RUN, next, () -> {});
              return false;
            }
          });
    }
    assertThat(receipts.haveRedelivered(RUN)).isFalse();
    assertThat(receipts.count(RUN)).isEqualTo(6);
  }

  /** The robot has sent it again while there was no dispatcher: another one had it all the same. */
  @Test
  void aMessageThatWasRedeliveredIsStillSoWhenItHasComeOnceMore() {
    receipts.add(RUN, 1, redelivered(1));
    receipts.add(RUN, 1, () -> acknowledged.add(2L));
    assertThat(receipts.haveRedelivered(RUN)).isTrue();
    assertThat(receipts.count(RUN)).isOne();
    receipts.acknowledgeUpTo(RUN, 1);
    assertThat(acknowledged).containsExactly(1L, 2L);
    assertThat(receipts.haveRedelivered(RUN)).isFalse();
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
      receipts.add(RUN, number, () -> acknowledged.add(its));
    }
    receipts.acknowledgeUpTo(RUN, 2);
    receipts.acknowledge(RUN, 4);
    assertThat(acknowledged).containsExactly(1L, 2L, 4L);
    assertThat(receipts.count(RUN)).isOne();
    assertThat(receipts.count()).isOne();
    receipts.acknowledgeUpTo(RUN, Receipts.END);
    assertThat(receipts.count()).isZero();
  }
}
