package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.broker.Outcome;
import org.junit.jupiter.api.Test;

class FatesTest {

  private final Fates fates = new Fates();

  @Test
  void tellsHowAScanWasLost() {
    fates.read();
    fates.answered(new Outcome.Lost("a task died"), 0);
    assertThat(fates.lastWhy()).isEqualTo("a task died");
    assertThat(fates.counts().lost()).isOne();
  }
}
