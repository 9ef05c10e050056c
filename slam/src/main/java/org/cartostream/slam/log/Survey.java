package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.cartostream.slam.sensor.Reading;

/**
 * What a first pass over a file finds. It reads every scan line whole.
 *
 * @param isPoseGraph true for g2o, false for CARMEN
 * @param scans number of scan lines, at least 1
 */
record Survey(boolean isPoseGraph, int scans, LaserSurvey frontLaser, LaserSurvey robotLaser) {

  private static final Set<String> GRAPH_KEYWORDS = Set.of("VERTEX_SE2", "EDGE_SE2");

  static Survey of(Path file) throws IOException {
    String first = null;
    boolean graph = false;
    int scans = 0;
    LaserSurvey frontLaser = LaserSurvey.ofFrontLaser();
    LaserSurvey robotLaser = LaserSurvey.ofRobotLaser();
    try (Lines lines = new Lines(LogBytes.open(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        String keyword = Lines.keyword(line);
        first = first == null && !keyword.isEmpty() ? line : first;
        graph |= GRAPH_KEYWORDS.contains(keyword);
        if (ScanLine.KEYWORDS.contains(keyword)) {
          scans++;
          look(line, keyword.equals(ScanLine.FRONT_LASER) ? frontLaser : robotLaser);
        }
      }
    }
    if (scans == 0) {
      throw new LogFormatException(noLog(file, first, graph));
    }
    frontLaser.end();
    robotLaser.end();
    return new Survey(graph, scans, frontLaser, robotLaser);
  }

  /** The reading on a scan line, as the whole file lets it be understood. */
  Reading reading(String line) throws UnusableLine {
    boolean front = Lines.keyword(line).equals(ScanLine.FRONT_LASER);
    return (front ? frontLaser : robotLaser).understood(ScanLine.parse(line));
  }

  private static void look(String line, LaserSurvey laser) {
    try {
      laser.see(ScanLine.parse(line));
    } catch (UnusableLine e) {
      // It will be refused, with its number and the reason, when its turn comes.
    }
  }

  private static String noLog(Path file, String first, boolean graph) {
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
