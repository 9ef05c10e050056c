package org.cartostream.run.initialpose;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.run.metrics.AnsweredLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;

/**
 * Log of a robot that may be carried on the way: returns no reading before a {@link
 * CarriedRobotSearch} knows where the robot stands. Reads the log ahead as far as the search needs.
 *
 * @param search owned by this log
 */
public record CarriedRobotLog(Iterator<LogEntry> log, CarriedRobotSearch search)
    implements Iterator<LogEntry>, AnsweredLog {

  @Override
  public boolean isHeld() {
    readAhead();
    return search.isHeld();
  }

  @Override
  public boolean hasNext() {
    return !search.isEmpty() || log.hasNext();
  }

  @Override
  public LogEntry next() {
    readAhead();
    LogEntry next = search.poll();
    if (next == null) {
      throw new NoSuchElementException(
          search.isHeld() ? "readings have no answer yet" : "the log is over");
    }
    return next;
  }

  private void readAhead() {
    while (search.needsMore() && log.hasNext()) {
      search.offer(log.next());
    }
    if (!log.hasNext()) {
      search.end();
    }
  }

  @Override
  public void answered(Reading reading, Outcome outcome) {
    search.answered(reading, outcome);
  }
}
