package org.cartostream.run.observer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.web.observer.RunObserver;

/**
 * Observation of the serial engine's map during a run, if there is an observer. The whole map is
 * drawn anew along the best path so far, without loop closure, and without any effect on the
 * filter. Drawing takes no larger share of the engine's time than {@link RunObserver#drawingShare}.
 * Owns when the latest map was drawn, and how long that took.
 */
public final class OnlineMaps {

  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final RunObserver observer;
  private final LongSupplier nanoClock;
  private boolean draws;
  private long drawnAt;
  private long pauseNanos;

  /**
   * @param nanoClock nanoseconds from any origin: {@link System#nanoTime}
   */
  public OnlineMaps(RunObserver observer, LongSupplier nanoClock) {
    this.observer = observer;
    this.nanoClock = nanoClock;
    draws = observer != RunObserver.NONE;
  }

  /**
   * Draws and reports the map, if the pause since the latest one is over. Called after each reading
   * that the filter has processed or refused.
   *
   * @param stampNanos stamp of the reading, nanoseconds
   */
  public void after(SerialFilter filter, long stampNanos) {
    long now = nanoClock.getAsLong();
    if (!draws || (pauseNanos > 0 && now - drawnAt < pauseNanos)) {
      return;
    }
    RecordedPath path = filter.trajectoryTree().bestPath();
    if (path.path().isEmpty()) {
      return;
    }
    try {
      observer.map(path.map().grid(), 0, stampNanos);
    } catch (IllegalStateException tooLarge) {
      draws = false; // It will not become smaller.
    }
    drawnAt = nanoClock.getAsLong();
    double pause = (drawnAt - now) * (1 / observer.drawingShare() - 1);
    pauseNanos = Math.max(MIN_PAUSE_NANOS, Math.round(pause));
  }
}
