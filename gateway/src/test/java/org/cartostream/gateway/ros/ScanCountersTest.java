package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.broker.message.Outcome;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ScanCountersTest {

  private final ScanCounters scanCounters = new ScanCounters("r1");

  @Test
  void tellsHowAScanWasLost() {
    scanCounters.read(1);
    scanCounters.answered(new Outcome.Lost("a task died"), 0);
    assertThat(scanCounters.lastReason()).isEqualTo("a task died");
    assertThat(scanCounters.counts().lost()).isOne();
  }
}
