package org.cartostream.topology.bolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cartostream.testing.Quick;
import org.cartostream.topology.status.TaskStatus;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.HungTaskWatchdog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Quick
class OffloadPoolTest {

  private static final int MAX = 3;
  private static final int WORKS = 10;
  private static final TaskStatus STATUS = new TaskStatus(Component.Matchers.class, 0, watched());

  private final OffloadPool pool = new OffloadPool(MAX, OffloadPoolTest::watched, () -> STATUS);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger maxAtOnce = new AtomicInteger();

  private static HungTaskWatchdog.Activity watched() {
    return HungTaskWatchdog.ofProcess().watch("test", 600, false);
  }

  @AfterEach
  void end() {
    gate.countDown();
    pool.end();
  }

  private void work() {
    begun.incrementAndGet();
    maxAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    atOnce.decrementAndGet();
    done.incrementAndGet();
  }

  @Test
  void doesSoMuchAtATimeAndAllOfItInTheEnd() {
    for (int i = 0; i < WORKS; i++) {
      pool.execute(this::work);
    }
    await().until(() -> begun.get() == MAX);
    gate.countDown();
    await().until(() -> done.get() == WORKS);
    assertThat(maxAtOnce).hasValue(MAX);
  }

  @Test
  void goesOnAfterWorkThatThrows() {
    for (int i = 0; i < MAX; i++) {
      pool.execute(
          () -> {
            begun.incrementAndGet();
            throw new IllegalStateException("this is a test");
          });
    }
    await().dontCatchUncaughtExceptions().until(() -> begun.get() == MAX);
    gate.countDown();
    pool.execute(this::work);
    await().dontCatchUncaughtExceptions().until(() -> done.get() == 1);
    assertThat(begun).hasValue(MAX + 1);
  }
}
