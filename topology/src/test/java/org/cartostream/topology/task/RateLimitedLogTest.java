package org.cartostream.topology.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RateLimitedLogTest {

  private static final long BEGIN = Long.MAX_VALUE - 3; // System.nanoTime may begin anywhere.

  private final List<Long> said = new ArrayList<>();
  private final RateLimitedLog rateLimitedLog = new RateLimitedLog(BEGIN);

  private void happensAfter(long milliseconds) {
    rateLimitedLog.record(BEGIN + TimeUnit.MILLISECONDS.toNanos(milliseconds), said::add);
  }

  @Test
  void saysAtOnceThatSomethingHappensAndThenOnceInTenSecondsHowOftenItHas() {
    happensAfter(0);
    assertThat(said).containsExactly(1L);
    happensAfter(1);
    happensAfter(9_999);
    assertThat(said).containsExactly(1L);
    happensAfter(10_000);
    happensAfter(10_001);
    happensAfter(60_000);
    assertThat(said).containsExactly(1L, 4L, 6L);
  }
}
