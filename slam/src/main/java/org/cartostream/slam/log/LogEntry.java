package org.cartostream.slam.log;

import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * One scan of a log: a usable reading, or the reason why it is refused. Every scan line, usable or
 * not, is exactly one entry.
 */
public sealed interface LogEntry {

  /** Number of the scan's line in the log's text, counted from 1; without text, of the entry. */
  int line();

  /** A usable reading. */
  record Usable(int line, Reading reading) implements LogEntry {}

  /** A refused scan, with the reason. */
  record Refused(int line, Refusal.Reason why) implements LogEntry {}
}
