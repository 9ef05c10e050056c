package org.cartostream.topology.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.testing.Quick;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.HungTaskWatchdog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Quick
class TaskStatusTest {

  private static final int HUNG_SECONDS = 1000;

  private final HungTaskWatchdog.Activity own = watched();
  private final HungTaskWatchdog.Activity other = watched();

  private static HungTaskWatchdog.Activity watched() {
    return HungTaskWatchdog.ofProcess().watch("test", HUNG_SECONDS, false);
  }

  @AfterEach
  void forget() {
    HungTaskWatchdog.ofProcess().forget(own);
    HungTaskWatchdog.ofProcess().forget(other);
  }

  private long busyNanos(long longNanos, boolean isAtWork) {
    TaskStatus status = new TaskStatus(Component.Matchers.class, 0, own, longNanos);
    status.begins(other);
    if (!isAtWork) {
      status.ends(other);
    }
    long begun = System.nanoTime();
    while (System.nanoTime() == begun) {
      Thread.onSpinWait();
    }
    return status.now().busyNanos();
  }

  /** The task's own thread waits for messages meanwhile. */
  @Test
  void aTaskIsBusyForAsLongAsAnotherThreadIsAtSomethingForIt() {
    other.turn();
    assertThat(busyNanos(0, true)).isPositive();
    assertThat(busyNanos(0, false)).isZero();
  }

  @Test
  void whatTakesAMomentDoesNotCount() {
    other.turn();
    assertThat(busyNanos(Long.MAX_VALUE, true)).isZero();
  }

  @Test
  void itsOwnMessageCountsAtOnce() {
    own.turn();
    assertThat(busyNanos(Long.MAX_VALUE, true)).isPositive();
  }
}
