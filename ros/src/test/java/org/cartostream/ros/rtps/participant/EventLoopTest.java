package org.cartostream.ros.rtps.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Quick
@Timeout(30)
class EventLoopTest {

  private static final int DOMAIN = 74;

  /** Then its thread finds the selector closed: here on its way to it, held up at the lock. */
  @Test
  void endsWithoutAnErrorWhenWhoeverClosesItIsInterrupted() throws Exception {
    List<InetAddress> here = List.of(InetAddress.getLoopbackAddress());
    UdpSockets sockets = new UdpSockets(new DomainAccess(DOMAIN, here, true, false, List.of()));
    EventLoop loop = new EventLoop("loop", sockets, packet -> {});
    CompletableFuture<Thread> delivering = new CompletableFuture<>();
    CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
    CountDownLatch isLocked = new CountDownLatch(1);
    loop.locked(
        () ->
            loop.deliver(
                () -> {
                  Thread.currentThread()
                      .setUncaughtExceptionHandler((thread, why) -> uncaught.complete(why));
                  delivering.complete(Thread.currentThread());
                  try {
                    isLocked.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }));
    loop.start();
    Thread thread = delivering.get();
    loop.locked(
        () -> {
          isLocked.countDown();
          await().until(() -> isHeldUpBeforeItWaits(thread));
          Thread.currentThread().interrupt();
          loop.close();
          assertThat(Thread.interrupted()).isTrue();
        });
    thread.join();
    assertThat(uncaught).isNotDone();
  }

  private static boolean isHeldUpBeforeItWaits(Thread thread) {
    boolean isBeforeItWaits =
        Arrays.stream(thread.getStackTrace())
            .anyMatch(
                each ->
                    each.getClassName().equals(EventLoop.class.getName())
                        && each.getMethodName().equals("await"));
    return isBeforeItWaits && thread.getState() == Thread.State.WAITING;
  }
}
