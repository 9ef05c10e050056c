package org.cartostream.topology.run;

import java.util.concurrent.TimeUnit;
import org.cartostream.topology.settings.TopologySettings;

/**
 * Timer of a robot's silence. It also gives the times at which the other components are told that
 * the run is still alive: they receive nothing else of a robot that stands still, see {@link
 * IdleRunDetector}.
 *
 * <p>Owns the moments of its latest message and of the latest keep-alive, by the dispatcher's
 * clock.
 */
public final class IdleTimer {

  /** Keep-alives in the time after which a silent robot is forgotten. */
  private static final int KEEP_ALIVES_A_TIMEOUT = 4;

  private final long pauseNanos;
  private long messageAt;
  private long aliveAt;

  public IdleTimer(TopologySettings settings) {
    this.pauseNanos =
        TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds()) / KEEP_ALIVES_A_TIMEOUT;
  }

  /** The run begins here. */
  public void begin(long now) {
    messageAt = now;
    aliveAt = now;
  }

  /** The robot has sent something. */
  public void end(long now) {
    messageAt = now;
  }

  /** Nanoseconds since its latest message. */
  public long nanos(long now) {
    return now - messageAt;
  }

  /** Makes the next keep-alive due at once: components that do not know the run answer it. */
  public void expireKeepAlive() {
    aliveAt = Long.MIN_VALUE / 2;
  }

  /** True if a keep-alive is due; then it counts as sent. */
  public boolean isKeepAliveDue(long now) {
    boolean isDue = now - aliveAt > pauseNanos;
    aliveAt = isDue ? now : aliveAt;
    return isDue;
  }
}
