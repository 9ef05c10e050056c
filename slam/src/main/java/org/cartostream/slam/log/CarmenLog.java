package org.cartostream.slam.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A CARMEN log, read line by line. Owns the open file and the line that comes next.
 *
 * <p>Scans on {@code FLASER} and {@code ROBOTLASER1} lines carry their own odometry, so {@code
 * ODOM} lines, which tell the same at other stamps, are passed over like comments, {@code PARAM},
 * {@code SYNC}, {@code RAWLASER1} and lasers other than the first. In a log in which none of them
 * can be read {@code RAWLASER1} lines are the scans; the {@link Survey} knows their odometry.
 */
final class CarmenLog implements LaserLog {

  private final Lines lines;
  private final Survey survey;
  private String scanLine;

  CarmenLog(Path file, Survey survey) throws IOException {
    this(new Lines(LogBytes.open(file)), survey);
  }

  /** Owns {@code lines} from now on, and closes them if the first cannot be read. */
  CarmenLog(Lines lines, Survey survey) throws IOException {
    this.lines = lines;
    this.survey = survey;
    try {
      advance();
    } catch (IOException | RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  @Override
  public int scanCount() {
    return survey.scans();
  }

  @Override
  public List<String> notices() {
    return survey.notices();
  }

  @Override
  public boolean hasNext() {
    return scanLine != null;
  }

  @Override
  public LogEntry next() {
    if (scanLine == null) {
      throw new NoSuchElementException("the log has no more than its " + scanCount() + " scans");
    }
    LogEntry entry = entry(lines.number(), scanLine);
    try {
      advance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entry;
  }

  private LogEntry entry(int number, String line) {
    try {
      return new LogEntry.Taken(number, survey.reading(line));
    } catch (UnusableLine e) {
      return new LogEntry.Refused(number, e.why());
    }
  }

  private void advance() throws IOException {
    do {
      scanLine = lines.next();
    } while (scanLine != null && !survey.isScan(scanLine));
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
