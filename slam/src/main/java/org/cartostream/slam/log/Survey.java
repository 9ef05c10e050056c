package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;

/**
 * What a first pass over a file finds, and what its scan lines mean by that. It reads every scan
 * line whole.
 *
 * <p>A log may have the scans of one laser twice, on {@code RAWLASER1} lines and on others. Those
 * that carry their own pose count then, if one of them can be read: whoever wrote it knew the
 * robot.
 *
 * <p>Owns what is known of the file's lasers.
 */
final class Survey {

  private static final Set<String> GRAPH_KEYWORDS = Set.of("VERTEX_SE2", "EDGE_SE2");

  private final LaserParameters parameters = new LaserParameters();
  private final FrontLaserView view;
  private final ScanLine scanLine;
  private final LaserSurvey frontLaser = LaserSurvey.ofFrontLaser();
  private final LaserSurvey robotLaser = LaserSurvey.ofRobotLaser();

  private final RawLaser rawLaser = new RawLaser(parameters);

  private String first;
  private boolean graph;

  /** One of the scans at least can be read and carries its own pose. */
  private boolean tellsPoses;

  private int posedScans;
  private int rawScans;

  private Survey(CarmenSettings settings) {
    this.view = new FrontLaserView(settings, parameters);
    this.scanLine = new ScanLine(view);
  }

  /**
   * Reads a file from front to back.
   *
   * @throws LogFormatException if it has no scans, or none that can have odometry
   */
  static Survey of(Path file, CarmenSettings settings) throws IOException {
    Survey survey = new Survey(settings);
    try (Lines lines = new Lines(LogBytes.open(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        survey.take(lines.number(), line);
      }
    }
    survey.end(file);
    return survey;
  }

  private void take(int number, String line) {
    String keyword = Lines.keyword(line);
    first = first == null && !keyword.isEmpty() ? line : first;
    graph |= GRAPH_KEYWORDS.contains(keyword);
    boolean isPosed = ScanLine.POSED.contains(keyword);
    boolean isRaw = keyword.equals(ScanLine.RAW_LASER);
    posedScans += isPosed ? 1 : 0;
    rawScans += isRaw ? 1 : 0;
    if (keyword.equals(LaserParameters.KEYWORD)) {
      parameters.take(line);
    }
    boolean mayBeRaw = !tellsPoses && !graph;
    if (mayBeRaw) {
      rawLaser.take(number, keyword, line);
    }
    if (isPosed || (isRaw && mayBeRaw)) {
      look(keyword, line);
    }
  }

  private void look(String keyword, String line) {
    try {
      Reading reading = scanLine.parse(line);
      switch (keyword) {
        case ScanLine.RAW_LASER -> rawLaser.see(reading);
        case ScanLine.FRONT_LASER -> {
          frontLaser.see(reading);
          view.see(reading.scan().beams());
        }
        default -> robotLaser.see(reading);
      }
      tellsPoses |= !keyword.equals(ScanLine.RAW_LASER);
    } catch (UnusableLine e) {
      // It will be refused, with its number and the reason, when its turn comes.
    }
  }

  private void end(Path file) throws LogFormatException {
    if (scans() == 0) {
      throw new LogFormatException(noLog(file));
    }
    if (rawCounts()) {
      rawLaser.end(file);
    }
    frontLaser.end(parameters.frontMount());
    robotLaser.end(parameters.mount());
  }

  /** True for g2o, false for CARMEN. */
  boolean isPoseGraph() {
    return graph;
  }

  /** True if the scans are those on {@code RAWLASER1} lines. */
  private boolean rawCounts() {
    return rawScans > 0 && !tellsPoses && !graph;
  }

  /** Number of scan lines, at least 1. */
  int scans() {
    return rawCounts() ? rawScans : posedScans;
  }

  /** True if a line is one of those that are counted, usable or not. */
  boolean isScan(String line) {
    String keyword = Lines.keyword(line);
    return rawCounts() ? keyword.equals(ScanLine.RAW_LASER) : ScanLine.POSED.contains(keyword);
  }

  /** The reading on a scan line, as the whole file lets it be understood. */
  Reading reading(String line) throws UnusableLine {
    Reading alone = scanLine.parse(line);
    return switch (Lines.keyword(line)) {
      case ScanLine.RAW_LASER -> rawLaser.reading(alone);
      case ScanLine.FRONT_LASER -> frontLaser.understood(alone);
      default -> robotLaser.understood(alone);
    };
  }

  /** What was taken for granted, see {@link LaserLog#notices}. */
  List<String> notices() {
    List<String> notices = new ArrayList<>(view.notices());
    if (rawCounts()) {
      notices.addAll(rawLaser.notices());
      if (posedScans > 0) {
        notices.add(
            posedScans
                + " lines of FLASER or ROBOTLASER1 are passed over: none of them can be read, and"
                + " RAWLASER1 lines are there");
      }
    } else if (rawScans > 0) {
      notices.add(
          rawScans
              + " RAWLASER1 lines are passed over: the "
              + posedScans
              + " lines of FLASER or ROBOTLASER1 tell their poses themselves");
    }
    if (robotLaser.hasNoPlace()) {
      Pose mount = parameters.mount();
      notices.add(
          String.format(
              Locale.ROOT,
              "the laser's poses on the ROBOTLASER1 lines are at no one place of the robot, as those"
                  + " of two lasers, or corrected ones, are; the laser is taken to stand %.2f m ahead"
                  + " of the base and %.2f m to its left, turned by %.2f rad",
              mount.x(),
              mount.y(),
              mount.theta()));
    }
    return notices;
  }

  private String noLog(Path file) {
    if (first == null) {
      return file + " is empty; a CARMEN log or a g2o file with scans is needed";
    }
    return file
        + (graph ? " is a pose graph without" : " is no log: it has no")
        + " laser scans (its first line is \""
        + Printable.of(first)
        + "\"); scans are lines that begin with FLASER, ROBOTLASER1 or RAWLASER1";
  }
}
