package org.cartostream.topology.run;

import java.util.concurrent.TimeUnit;
import org.cartostream.topology.settings.TopologySettings;

/**
 * Timer of a robot's silence, and of the keep-alives by which other components learn that the run
 * is still alive: while the robot stands still they receive nothing else, see {@link
 * IdleRunDetector}.
 *
 * <p>Owns the times of the robot's latest message and of the latest keep-alive, by the dispatcher's
 * clock.
 */
public final class IdleTimer {

  /** Number of keep-alives within the time after which a silent robot is forgotten. */
  private static final int KEEP_ALIVES_A_TIMEOUT = 4;

  private final long pauseNanos;
  private long messageAt;
  private long aliveAt;

  public IdleTimer(TopologySettings settings) {
    this.pauseNanos =
        TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds()) / KEEP_ALIVES_A_TIMEOUT;
  }

  /** Begins both times with the run. */
  public void begin(long now) {
    messageAt = now;
    aliveAt = now;
  }

  /** Notes that the robot has sent a message. */
  public void end(long now) {
    messageAt = now;
  }

  /** Returns the time since the robot's latest message, nanoseconds. */
  public long nanos(long now) {
    return now - messageAt;
  }

  /**
   * Makes the next keep-alive due at once, as components that have lost the run's state report
   * that.
   */
  public void expireKeepAlive() {
    aliveAt = Long.MIN_VALUE / 2;
  }

  /** Returns true if a keep-alive is due; it then counts as sent. */
  public boolean isKeepAliveDue(long now) {
    boolean isDue = now - aliveAt > pauseNanos;
    aliveAt = isDue ? now : aliveAt;
    return isDue;
  }
}
