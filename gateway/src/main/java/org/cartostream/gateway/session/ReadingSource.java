package org.cartostream.gateway.session;

import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/** A source of readings for a {@link ReadingSession}: a recorded log or a live robot. */
public interface ReadingSource {

  /**
   * The reading to be sent now, the same until it was {@link #sent} or {@link #drop}ped; null if
   * none is due.
   *
   * @param nanoTime now, by {@link System#nanoTime}
   * @throws java.io.UncheckedIOException if a log cannot be read any further
   */
  Reading due(long nanoTime);

  /** Returns where the robot was carried to at the reading that is due; null if it was not. */
  default InitialPose carriedTo() {
    return null;
  }

  /**
   * The reading that was due is sent.
   *
   * @param nanoTime now, by {@link System#nanoTime}
   */
  void sent(long nanoTime);

  /** The reading that was due cannot be sent at all. */
  void drop();

  /** Nanoseconds until a reading that is here already is due; {@link Long#MAX_VALUE} if none is. */
  long dueInNanos(long nanoTime);

  /** True if no reading will ever be due. Asked when none is due now. */
  boolean isExhausted();

  /** Takes in no more; a log ends at once, what a robot has offered is still to be sent. */
  void stop();

  /** Notes whether the service can be reached. */
  default void setServiceAway(boolean away) {}
}
