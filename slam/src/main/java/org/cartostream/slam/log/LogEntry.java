package org.cartostream.slam.log;

import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * One scan of a log: a usable reading, or the reason why it is refused. Every scan line, usable or
 * not, is exactly one entry.
 */
public sealed interface LogEntry {

  /** Number of the scan's line in the log's text, counted from 1; without text, of the entry. */
  int line();

  /**
   * A usable reading.
   *
   * @param carriedTo where the robot is, if it was carried there since the reading before: in the
   *     frame of the filter's own poses; else null
   */
  record Usable(int line, Reading reading, InitialPose.At carriedTo) implements LogEntry {

    public Usable(int line, Reading reading) {
      this(line, reading, null);
    }
  }

  /** A refused scan, with the reason. */
  record Refused(int line, Refusal.Reason why) implements LogEntry {}
}
