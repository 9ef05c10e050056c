package org.cartostream.slam.log;

import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * One scan of a log: a usable reading, or the reason why it is refused. Every scan line, usable or
 * not, is exactly one entry.
 */
public sealed interface LogEntry {

  /**
   * Returns the number of the scan's line in the log's text, counted from 1; in a log that is no
   * text, the number of the entry.
   */
  int line();

  /**
   * A usable reading.
   *
   * @param carriedTo the robot's pose, in the frame of the filter's own poses, if it was carried
   *     since the reading before; else null
   */
  record Usable(int line, Reading reading, InitialPose.At carriedTo) implements LogEntry {

    public Usable(int line, Reading reading) {
      this(line, reading, null);
    }
  }

  /** A refused scan, with the reason. */
  record Refused(int line, Refusal.Reason why) implements LogEntry {}
}
