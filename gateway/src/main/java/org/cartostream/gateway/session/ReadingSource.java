package org.cartostream.gateway.session;

import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/** A source of readings for a {@link ReadingSession}: a recorded log or a live robot. */
public interface ReadingSource {

  /**
   * Returns the reading to be sent now, the same until it was {@link #sent} or {@link #drop}ped;
   * null if none is due.
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
   * Notes that the reading that was due is sent.
   *
   * @param nanoTime now, by {@link System#nanoTime}
   */
  void sent(long nanoTime);

  /** Removes the reading that was due, which cannot be sent at all. */
  void drop();

  /**
   * Returns the nanoseconds until the next known reading is due; {@link Long#MAX_VALUE} if none is.
   */
  long dueInNanos(long nanoTime);

  /** True if no reading will ever be due. Called when none is due now. */
  boolean isExhausted();

  /**
   * Takes in no more readings. A log ends at once; readings that a robot has offered are still to
   * be sent.
   */
  void stop();

  /** Takes the outcome of a reading that was sent, or could not be sent. */
  default void answered(Reading reading, Outcome outcome) {}

  /** Returns true, once, if somebody has asked for a new run with an empty map. */
  default boolean takesNewRun() {
    return false;
  }

  /** Notes that a new run with an empty map begins with the next reading. */
  default void newRun() {}

  /** Notes whether the service can be reached. */
  default void setServiceAway(boolean away) {}
}
