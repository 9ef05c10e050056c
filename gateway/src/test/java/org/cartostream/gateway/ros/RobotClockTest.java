package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.cartostream.gateway.session.ServiceClockOffset;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RobotClockTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final Offset<Long> TENTH = within(SECOND / 10);

  private final ServiceClockOffset service = new ServiceClockOffset();
  private final RobotClock clock = new RobotClock(service);

  /** Stamps of a robot whose clock is off, by messages that take up to 300 ms. */
  private void listen(long fromNanos, long seconds, long skewNanos) {
    long seed = 7;
    Random random = new Random(seed);
    for (int i = 0; i < 20 * seconds; i++) {
      long sent = fromNanos + i * SECOND / 20;
      long delay = (long) (random.nextDouble() * 0.3 * SECOND);
      clock.onStamp(sent + skewNanos, sent + delay);
    }
  }

  @Test
  void seesASkewThroughTheDelays() {
    listen(1_700_000_000L * SECOND, 4, 5 * SECOND);
    assertThat(clock.skewNanos()).isCloseTo(5 * SECOND, TENTH);
    assertThat(clock.sentence()).isEqualTo("The robot's clock is 5.0 s ahead of this computer's");
    assertThat(clock.robotNanos(10 * SECOND)).isCloseTo(15 * SECOND, TENTH);
  }

  /** The robot is 5 s ahead of the gateway's computer, and this one 2 s behind the service's. */
  @Test
  void comparesWithTheServiceOnceItHasAnswered() {
    long now = 1_700_000_000L * SECOND;
    listen(now, 4, 5 * SECOND);
    service.answered(now, now + SECOND / 100 + 2 * SECOND, now + SECOND / 50, 0);
    assertThat(clock.reportedNanos()).isCloseTo(3 * SECOND, TENTH);
    assertThat(clock.sentence()).isEqualTo("The robot's clock is 3.0 s ahead of the service's");
    assertThat(clock.robotNanos(now)).isCloseTo(now + 5 * SECOND, TENTH);
  }

  @Test
  void followsAClockThatIsSetRight() {
    listen(1_700_000_000L * SECOND, 10, 5 * SECOND);
    listen(1_700_000_010L * SECOND, 12, -2 * SECOND);
    assertThat(clock.skewNanos()).isCloseTo(-2 * SECOND, TENTH);
    assertThat(clock.sentence()).isEqualTo("The robot's clock is 2.0 s behind this computer's");
  }

  /** tf2 would hold stamps of the time before against all that follow. */
  @Test
  void believesAClockThatIsSetBackAfterASecondAndIsNotSureUntilThen() {
    listen(1_700_000_000L * SECOND, 10, 0);
    listen(1_700_000_010L * SECOND, 1, -60 * SECOND);
    assertThat(clock.isSure(1_700_000_011L * SECOND)).isFalse();
    listen(1_700_000_011L * SECOND, 1, -60 * SECOND);
    assertThat(clock.isSure(1_700_000_012L * SECOND)).isTrue();
    assertThat(clock.skewNanos()).isCloseTo(-60 * SECOND, TENTH);
  }

  @Test
  void isNotMisledByAStampThatIsFarOffOrEmpty() {
    listen(1_700_000_000L * SECOND, 2, 0);
    long now = 1_700_000_002L * SECOND;
    clock.onStamp(0, now);
    assertThat(clock.isSure(now)).isTrue();
    clock.onStamp(now - 60 * SECOND, now);
    assertThat(clock.isSure(now)).isFalse();
    listen(now, 2, 0);
    assertThat(clock.isSure(now + 2 * SECOND)).isTrue();
    clock.onStamp(now - 60 * SECOND, now + 2 * SECOND);
    assertThat(clock.skewNanos()).isCloseTo(0, TENTH);
  }

  /** As in a simulation that is halted: its time goes on from where it stood. */
  @Test
  void isNotSureOfAClockThatIsNotHeardAnyMore() {
    listen(1_700_000_000L * SECOND, 4, 0);
    assertThat(clock.isSure(1_700_000_008L * SECOND)).isTrue();
    assertThat(clock.isSure(1_700_000_010L * SECOND)).isFalse();
    listen(1_700_000_060L * SECOND, 2, -56 * SECOND);
    assertThat(clock.isSure(1_700_000_062L * SECOND)).isTrue();
    assertThat(clock.skewNanos()).isCloseTo(-56 * SECOND, TENTH);
  }

  @Test
  void saysNothingOfWhatMayBeADelay() {
    listen(1_700_000_000L * SECOND, 4, 0);
    assertThat(clock.isNotable()).isFalse();
    assertThat(clock.sentence()).contains("agree");
  }

  @Test
  void knowsSimulatedTime() {
    clock.onStamp(12 * SECOND, 1_700_000_000L * SECOND);
    assertThat(clock.sentence()).contains("simulated time");
    assertThat(clock.robotNanos(1_700_000_001L * SECOND)).isEqualTo(13 * SECOND);
  }

  @Test
  void isNotKnownUntilSomethingComes() {
    assertThat(clock.isKnown()).isFalse();
    assertThat(clock.sentence()).contains("not sent");
  }
}
