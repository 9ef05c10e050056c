package org.cartostream.web.observer;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observer that forwards a run's events to another observer in a thread of its own, so that the run
 * need not wait for a disk or for encoding. What waits is bounded: a reading that comes while
 * {@link #MAX_WAITING_BYTES} wait is dropped and counted; of maps, particles and loops only the
 * newest waits, as it replaces those before. An observer that throws is not called again. Owns the
 * thread.
 */
public class BufferedObserver implements RunObserver {

  private static final Logger LOG = LoggerFactory.getLogger(BufferedObserver.class);

  static final long MAX_WAITING_BYTES = 64L << 20;

  /** Estimated memory of a waiting reading and its outcome, without the ranges; bytes. */
  private static final int READING_BYTES = 1000;

  private final RunObserver told;
  private final ExecutorService thread;
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicReference<Runnable> waitingMap = new AtomicReference<>();
  private final AtomicReference<Runnable> waitingParticles = new AtomicReference<>();
  private final AtomicReference<Runnable> waitingLoops = new AtomicReference<>();
  private final AtomicLong leftOut = new AtomicLong();

  /** True if the observer has thrown something. Used by the thread alone. */
  private boolean broken;

  /**
   * @param told the other observer, called by the thread alone
   * @param name name of the thread
   */
  public BufferedObserver(RunObserver told, String name) {
    this.told = told;
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread own = new Thread(task, name);
              own.setDaemon(true);
              return own;
            });
  }

  /** Runs a task in the thread, after what waits; does nothing after {@link #finish}. */
  public void execute(Runnable task) {
    try {
      thread.execute(() -> runGuarded(task));
    } catch (RejectedExecutionException e) {
      LOG.debug("nothing more is told", e);
    }
  }

  private void runGuarded(Runnable task) {
    if (broken) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException e) {
      broken = true;
      LOG.warn("{} fails, and is told nothing more of the run", told, e);
    }
  }

  /** Returns how many readings were left out. */
  public long leftOut() {
    return leftOut.get();
  }

  @Override
  public void begin(String robot, long scans) {
    execute(() -> told.begin(robot, scans));
  }

  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    long bytes =
        READING_BYTES + (reading == null ? 0 : (long) Float.BYTES * reading.scan().beams());
    if (waitingBytes.get() > MAX_WAITING_BYTES) {
      leftOut.incrementAndGet();
      return;
    }
    waitingBytes.addAndGet(bytes);
    execute(
        () -> {
          waitingBytes.addAndGet(-bytes);
          told.outcome(number, reading, outcome);
        });
  }

  @Override
  public void map(OccupancyGrid map, int correction, long stampNanos) {
    replace(waitingMap, () -> told.map(map, correction, stampNanos));
  }

  @Override
  public void particles(ParticlesMessage newest, long stampNanos) {
    replace(waitingParticles, () -> told.particles(newest, stampNanos));
  }

  @Override
  public void loops(List<ClosedLoop> newest, long stampNanos) {
    replace(waitingLoops, () -> told.loops(newest, stampNanos));
  }

  /** Runs an event in the thread, in the place of an event of the same kind if one waits. */
  private void replace(AtomicReference<Runnable> waiting, Runnable newest) {
    if (waiting.getAndSet(newest) == null) {
      execute(() -> waiting.getAndSet(null).run());
    }
  }

  @Override
  public double drawingShare() {
    return told.drawingShare();
  }

  @Override
  public void link(String trouble) {
    execute(() -> told.link(trouble));
  }

  @Override
  public void result(OccupancyGrid map, List<PathPose> path) {
    execute(() -> told.result(map, path));
  }

  @Override
  public void end(String failure) {
    execute(() -> told.end(failure));
  }

  /**
   * Takes nothing more, and waits until the other observer has been told all that waited.
   *
   * @param seconds time-out
   * @return false if the time-out passed first
   */
  public boolean finish(int seconds) {
    thread.shutdown();
    try {
      return thread.awaitTermination(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
