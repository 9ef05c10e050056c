package org.cartostream.topology.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.testing.Quick;
import org.cartostream.topology.task.HungTaskWatchdog.Activity;
import org.junit.jupiter.api.Test;

@Quick
class HungTaskWatchdogTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong time = new AtomicLong();
  private final HungTaskWatchdog watchdog = new HungTaskWatchdog(time::get);
  private int ends;
  private final Activity activity = watchdog.watch("Matchers", 5 * SECOND, () -> ends++);

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      time.addAndGet(SECOND);
      watchdog.look();
    }
  }

  @Test
  void aTaskThatHandlesOneMessageForTooLongHangs() {
    activity.turn();
    pass(5);
    assertThat(ends).isZero();
    pass(1);
    assertThat(ends).isOne();
    pass(20);
    assertThat(ends).isOne();
  }

  @Test
  void itIsKnownForHowLongATaskHasHandledItsMessage() {
    assertThat(activity.busyNanos()).isZero();
    activity.turn();
    time.addAndGet(3 * SECOND);
    assertThat(activity.busyNanos()).isEqualTo(3 * SECOND);
    activity.turn();
    time.addAndGet(SECOND);
    assertThat(activity.busyNanos()).isZero();
  }

  @Test
  void aTaskWithoutWorkDoesNot() {
    pass(100);
    assertThat(ends).isZero();
  }

  /** However long it has been at it: each message is another. */
  @Test
  void aTaskThatIsBusyDoesNot() {
    activity.turn();
    for (int i = 0; i < 100; i++) {
      pass(4);
      activity.turn();
      activity.turn();
    }
    assertThat(ends).isZero();
  }

  /** Two ticks' time counts at most, for so the process wakes. */
  @Test
  void timeInWhichTheProcessIsStoppedDoesNotCount() {
    activity.turn();
    pass(2);
    time.addAndGet(3600 * SECOND);
    watchdog.look();
    assertThat(ends).isZero();
    pass(1);
    assertThat(ends).isZero();
    pass(1);
    assertThat(ends).isOne();
  }

  @Test
  void aTaskThatIsGoneIsForgotten() {
    activity.turn();
    watchdog.forget(activity);
    pass(10);
    assertThat(ends).isZero();
  }
}
