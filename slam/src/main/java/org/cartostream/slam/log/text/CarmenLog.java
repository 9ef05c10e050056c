package org.cartostream.slam.log.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnpackedFile;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.LogFormat;
import org.cartostream.slam.log.MergedLog;
import org.cartostream.slam.log.carmen.CarmenSettings;

/**
 * A CARMEN log, read line by line. Owns the open file and the line that comes next.
 *
 * <p>Scans on {@code FLASER} and {@code ROBOTLASER1} lines carry their own odometry, so {@code
 * ODOM} lines, which tell the same at other stamps, are passed over like comments, {@code PARAM},
 * {@code SYNC}, {@code RAWLASER1} and lasers other than the first. If none of the lines with poses
 * can be read, the scans are those of {@code RAWLASER1} lines, whose odometry the {@link
 * LogPreScan} has.
 */
public final class CarmenLog implements LaserLog {

  private final LineReader lineReader;
  private final LogPreScan logPreScan;
  private String scanLine;

  /**
   * Returns the format. Check a file for {@link G2oLog}'s format first, whose files hold the same
   * scan lines.
   *
   * @param settings say what the lines leave open
   */
  public static LogFormat format(CarmenSettings settings) {
    return new LogFormat(
        "CARMEN log",
        "a CARMEN log (" + LogPreScan.FORM + ")",
        file -> LogPreScan.hasLine(file, LogPreScan.SCAN_KEYWORDS),
        files -> MergedLog.open(files, file -> open(file, settings)),
        "",
        false,
        List.of(CarmenSettings.FLASER_DEGREES));
  }

  /**
   * Opens a log, which may be packed with gzip, or alone in a zip archive.
   *
   * @param settings say what the lines leave open
   * @throws org.cartostream.slam.file.FileFormatException if it has no scans, or is no text
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if it cannot be read
   */
  public static LaserLog open(Path file, CarmenSettings settings) throws IOException {
    LogPreScan scans = LogPreScan.of(file, settings);
    return new CarmenLog(new LineReader(UnpackedFile.open(file)), scans);
  }

  /** Takes over {@code lineReader}, and closes it if the first line cannot be read. */
  CarmenLog(LineReader lineReader, LogPreScan logPreScan) throws IOException {
    this.lineReader = lineReader;
    this.logPreScan = logPreScan;
    try {
      advance();
    } catch (IOException | RuntimeException e) {
      lineReader.close();
      throw e;
    }
  }

  @Override
  public int scanCount() {
    return logPreScan.scans();
  }

  @Override
  public List<String> notices() {
    return logPreScan.notices();
  }

  @Override
  public Optional<String> damage() {
    return logPreScan.damage();
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
    LogEntry entry = entry(lineReader.number(), scanLine);
    try {
      advance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entry;
  }

  private LogEntry entry(int number, String line) {
    try {
      return new LogEntry.Usable(number, logPreScan.reading(line));
    } catch (UnusableLineException e) {
      return new LogEntry.Refused(number, e.why());
    }
  }

  private void advance() throws IOException {
    do {
      scanLine = lineReader.next();
    } while (scanLine != null && !logPreScan.isScan(scanLine));
  }

  @Override
  public void close() throws IOException {
    lineReader.close();
  }
}
