package org.cartostream.topology.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PauseTolerantClockTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** It may be any number, and leave the range of a long. */
  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - SECOND / 2);

  private final PauseTolerantClock clock = new PauseTolerantClock(nanoTime::get);

  private void pass(long nanos) {
    nanoTime.addAndGet(nanos);
  }

  @Test
  void countsWhatPassesBetweenTicks() {
    assertThat(clock.nanos()).isZero();
    pass(SECOND / 4);
    assertThat(clock.nanos()).isEqualTo(SECOND / 4);
    clock.tick();
    pass(SECOND);
    clock.tick();
    assertThat(clock.nanos()).isEqualTo(SECOND + SECOND / 4);
  }

  @Test
  void countsAllThatPassesWhileTheTaskIsOnlyBusy() {
    clock.tick();
    for (int i = 0; i < 100; i++) {
      pass(13 * SECOND / 10);
      clock.tick();
      pass(7 * SECOND / 10);
      clock.tick();
    }
    assertThat(clock.nanos()).isEqualTo(200 * SECOND);
  }

  @Test
  void countsNoMoreThanTwoTicksOfTheTimeInWhichTheTaskStoodStill() {
    pass(SECOND / 4);
    clock.tick();
    pass(3600 * SECOND);
    assertThat(clock.nanos()).isEqualTo(2 * SECOND + SECOND / 4);
    clock.tick();
    assertThat(clock.nanos()).isEqualTo(2 * SECOND + SECOND / 4);
    pass(1);
    assertThat(clock.nanos()).isEqualTo(2 * SECOND + SECOND / 4 + 1);
  }
}
