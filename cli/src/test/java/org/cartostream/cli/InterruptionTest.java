package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptionTest {

  private final Interruption interruption = new Interruption();
  private final List<String> told = new ArrayList<>();

  @Test
  void tellsWhoWaitsOnce() {
    interruption.whenRequested(() -> told.add("stop"));
    assertThat(interruption.requested()).isFalse();
    interruption.request(130);
    interruption.request(143);
    assertThat(told).containsExactly("stop");
    assertThat(interruption.exitCode()).isEqualTo(130);
  }

  @Test
  void tellsWhoComesLateAtOnce() {
    interruption.request(130);
    interruption.whenRequested(() -> told.add("stop"));
    assertThat(told).containsExactly("stop");
  }
}
