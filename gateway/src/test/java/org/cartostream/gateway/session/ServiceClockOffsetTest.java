package org.cartostream.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ServiceClockOffsetTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long NOW = TimeUnit.SECONDS.toNanos(1_700_000_000);

  private final ServiceClockOffset clock = new ServiceClockOffset();

  @Test
  void knowsNothingBeforeTheFirstAnswer() {
    assertThat(clock.skewNanos()).isEmpty();
  }

  /** 10 ms there, 30 ms of work, 20 ms back: the middle is off by half the difference, 5 ms. */
  @Test
  void takesTheMiddleOfTheWayWithoutTheWork() {
    long skew = -7000 * MILLI;
    clock.answered(NOW, NOW + 40 * MILLI + skew, NOW + 60 * MILLI, 30 * MILLI);
    assertThat(clock.skewNanos().getAsLong()).isCloseTo(skew, within(5 * MILLI));
  }

  /** One way is much slower than the other, and answers wait in queues for up to a second. */
  @Test
  void seesTheSkewThroughDelays() {
    long seed = 11;
    Random random = new Random(seed);
    long skew = 5000 * MILLI;
    for (int i = 0; i < 200; i++) {
      long sent = NOW + i * 125 * MILLI;
      long said = sent + (long) (random.nextDouble() * 100 * MILLI);
      long came = said + (long) (random.nextDouble() * 1000 * MILLI);
      clock.answered(sent, said + skew, came, 0);
    }
    assertThat(clock.skewNanos().getAsLong())
        .as("seed " + seed)
        .isCloseTo(skew, within(100 * MILLI));
  }

  @Test
  void followsAClockThatIsSet() {
    for (int i = 0; i < 300; i++) {
      long skew = i < 150 ? 0 : 3000 * MILLI;
      long sent = NOW + i * 125 * MILLI;
      clock.answered(sent, sent + 5 * MILLI + skew, sent + 10 * MILLI, 0);
    }
    assertThat(clock.skewNanos().getAsLong()).isCloseTo(3000 * MILLI, within(5 * MILLI));
  }
}
