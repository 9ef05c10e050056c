package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.cartostream.slam.sensor.Reading;

/**
 * What a first pass over a file finds, and what its scan lines mean by that. It reads every scan
 * line whole.
 *
 * <p>Owns what is known of the file's lasers.
 */
final class Survey {

  private static final Set<String> GRAPH_KEYWORDS = Set.of("VERTEX_SE2", "EDGE_SE2");

  private final FrontLaserView view;
  private final ScanLine scanLine;
  private final LaserSurvey frontLaser = LaserSurvey.ofFrontLaser();
  private final LaserSurvey robotLaser = LaserSurvey.ofRobotLaser();
  private String first;
  private boolean graph;
  private int scans;

  private Survey(CarmenSettings settings) {
    this.view = new FrontLaserView(settings);
    this.scanLine = new ScanLine(view);
  }

  /**
   * Reads a file from front to back.
   *
   * @throws LogFormatException if it has no scans
   */
  static Survey of(Path file, CarmenSettings settings) throws IOException {
    Survey survey = new Survey(settings);
    try (Lines lines = new Lines(LogBytes.open(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        survey.take(line);
      }
    }
    survey.end(file);
    return survey;
  }

  private void take(String line) {
    String keyword = Lines.keyword(line);
    first = first == null && !keyword.isEmpty() ? line : first;
    graph |= GRAPH_KEYWORDS.contains(keyword);
    if (isScan(line)) {
      scans++;
      look(line, keyword.equals(ScanLine.FRONT_LASER));
    }
  }

  private void look(String line, boolean front) {
    try {
      Reading reading = scanLine.parse(line);
      (front ? frontLaser : robotLaser).see(reading);
      if (front) {
        view.see(reading.scan().beams());
      }
    } catch (UnusableLine e) {
      // It will be refused, with its number and the reason, when its turn comes.
    }
  }

  private void end(Path file) throws LogFormatException {
    if (scans == 0) {
      throw new LogFormatException(noLog(file));
    }
    frontLaser.end();
    robotLaser.end();
  }

  /** True for g2o, false for CARMEN. */
  boolean isPoseGraph() {
    return graph;
  }

  /** Number of scan lines, at least 1. */
  int scans() {
    return scans;
  }

  /** True if a line is one of those that are counted, usable or not. */
  boolean isScan(String line) {
    return ScanLine.KEYWORDS.contains(Lines.keyword(line));
  }

  /** The reading on a scan line, as the whole file lets it be understood. */
  Reading reading(String line) throws UnusableLine {
    boolean front = Lines.keyword(line).equals(ScanLine.FRONT_LASER);
    return (front ? frontLaser : robotLaser).understood(scanLine.parse(line));
  }

  /** What was taken for granted, see {@link LaserLog#notices}. */
  List<String> notices() {
    return view.notices();
  }

  private String noLog(Path file) {
    if (first == null) {
      return file + " is empty; a CARMEN log or a g2o file with scans is needed";
    }
    return file
        + (graph ? " is a pose graph without" : " is no log: it has no")
        + " laser scans (its first line is \""
        + Printable.of(first)
        + "\"); scans are lines that begin with FLASER or ROBOTLASER1";
  }
}
