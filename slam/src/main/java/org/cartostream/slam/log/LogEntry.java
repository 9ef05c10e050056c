package org.cartostream.slam.log;

import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * One scan line of a log: a reading or the reason why it is none. Every scan line, usable or not,
 * is exactly one entry.
 */
public sealed interface LogEntry {

  /** Number of the scan's line in the log's text, counted from 1; without text, of the entry. */
  int line();

  /** The line is a reading. */
  record Usable(int line, Reading reading) implements LogEntry {}

  /** The line is no reading, for the reason given. */
  record Refused(int line, Refusal.Reason why) implements LogEntry {}
}
