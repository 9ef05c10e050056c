package org.cartostream.ros.rtps.participant;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.cartostream.ros.rtps.wire.MalformedPacketException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a participant, which receives packets and runs timers. Owns the lock of the
 * participant's whole state, the timers, and the queue of samples, which are delivered without the
 * lock.
 */
final class EventLoop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

  /** Maximum number of packets that are received before due timers run. */
  private static final int MAX_PACKETS = 64;

  private static final long MAX_WAIT_MILLIS = 1000;
  private static final long END_MILLIS = 2000;

  private record Task(long dueNanos, Runnable work) {}

  private final UdpSockets sockets;
  private final Consumer<ByteBuffer> receiver;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos() - b.dueNanos()));
  private List<Runnable> deliveries = new ArrayList<>();
  private long malformed;
  private volatile boolean closed;

  EventLoop(String name, UdpSockets sockets, Consumer<ByteBuffer> receiver) {
    this.sockets = sockets;
    this.receiver = receiver;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Runs {@code work} in the caller's thread while holding the lock. */
  void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
    if (Thread.currentThread() != thread) {
      sockets.selector().wakeup(); // Something may be due earlier now.
    }
  }

  /** Runs {@code work} after a time while holding the lock. The caller must hold the lock. */
  void after(long nanos, Runnable work) {
    tasks.add(new Task(System.nanoTime() + nanos, work));
  }

  /** Queues a delivery, which runs in order and without the lock. The caller must hold the lock. */
  void deliver(Runnable delivery) {
    deliveries.add(delivery);
  }

  private void run() {
    try {
      while (!closed) {
        await();
        List<Runnable> ready = new ArrayList<>();
        locked(
            () -> {
              receive();
              runDue();
              ready.addAll(deliveries);
              deliveries = new ArrayList<>();
            });
        ready.forEach(EventLoop::attempt);
      }
    } catch (ClosedSelectorException e) {
      LOG.debug("{} ends later than its sockets", thread.getName(), e);
    } catch (IOException e) {
      LOG.error("{} ends", thread.getName(), e);
    }
  }

  private void await() throws IOException {
    long waitNanos = TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS);
    lock.lock();
    try {
      if (!tasks.isEmpty()) {
        waitNanos = Math.min(waitNanos, tasks.peek().dueNanos() - System.nanoTime());
      }
    } finally {
      lock.unlock();
    }
    if (waitNanos <= 0) {
      sockets.selector().selectNow();
    } else {
      sockets.selector().select(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
    }
    sockets.selector().selectedKeys().clear();
  }

  private void receive() {
    for (int i = 0; i < MAX_PACKETS && !closed; i++) {
      ByteBuffer packet = sockets.receive();
      if (packet == null) {
        return;
      }
      try {
        receiver.accept(packet);
      } catch (MalformedPacketException e) {
        malformed++;
        LOG.debug("{} malformed packets: {}", malformed, e.getMessage());
      } catch (RuntimeException e) {
        LOG.error("a packet could not be handled", e);
      }
    }
  }

  private void runDue() {
    while (!tasks.isEmpty() && tasks.peek().dueNanos() - System.nanoTime() <= 0) {
      attempt(tasks.poll().work());
    }
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.error("a participant's work has failed", e);
    }
  }

  /**
   * Ends the thread, then closes the sockets; closes them at once if the caller is interrupted or
   * the thread does not end in time.
   */
  @Override
  public void close() {
    closed = true;
    sockets.selector().wakeup();
    try {
      if (Thread.currentThread() != thread) {
        thread.join(END_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sockets.close();
  }
}
