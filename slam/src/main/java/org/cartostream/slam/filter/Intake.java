package org.cartostream.slam.filter;

import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * Decides what becomes of each reading of one robot: refused, a key frame, or a reading in between.
 *
 * <p>Owns the odometry of the last key frame and of the last reading. The serial engine holds one,
 * the Dispatcher one per robot; nobody else decides.
 */
public final class Intake {

  /** What becomes of a reading. */
  public sealed interface Decision {
    /** It is not used. */
    record Refuse(Refusal.Because why) implements Decision {}

    /** It is used. */
    record Take(Step step) implements Decision {}
  }

  public Intake(FilterSettings settings) {
    throw new UnsupportedOperationException("soon");
  }

  /**
   * Decides about the next reading. Readings come in the order in which they were taken; stamps may
   * repeat or go backwards.
   */
  public Decision decide(long sequence, Reading reading) {
    throw new UnsupportedOperationException("soon");
  }
}
