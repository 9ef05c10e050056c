package org.cartostream.slam.log.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnpackedFile;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenParameters;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.carmen.FrontLaserAngles;
import org.cartostream.slam.log.carmen.LaserPreScan;
import org.cartostream.slam.log.carmen.RawLaserScans;
import org.cartostream.slam.log.carmen.ScanLineParser;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;

/**
 * The first pass over a log in CARMEN's format: finds out which lines carry the scans, and where
 * the lasers are mounted. It parses every scan line completely.
 *
 * <p>A log may contain the scans of one laser twice, on {@code RAWLASER1} lines and on lines that
 * carry a pose. The lines with poses are used then, if any of them can be read: their writer knew
 * the robot's geometry.
 *
 * <p>Owns the parameters and mounts of the file's lasers.
 */
final class LogPreScan {

  static final Set<String> GRAPH_KEYWORDS = Set.of("VERTEX_SE2", "EDGE_SE2", "VERTEX2", "EDGE2");

  static final Set<String> SCAN_KEYWORDS =
      Set.of(ScanLineParser.FRONT_LASER, "ROBOTLASER1", ScanLineParser.RAW_LASER);

  /** Form of the lines with scans, for people. */
  static final String FORM = "lines that begin with FLASER, ROBOTLASER1 or RAWLASER1";

  private final CarmenParameters parameters = new CarmenParameters();
  private final FrontLaserAngles view;
  private final ScanLineParser scanLineParser;
  private final LaserPreScan frontLaser = LaserPreScan.ofFrontLaser();
  private final LaserPreScan robotLaser = LaserPreScan.ofRobotLaser();

  private final RawLaserScans rawLaserScans = new RawLaserScans(parameters);

  private boolean graph;

  /** Number of fields of the last line with each of a graph's keywords. */
  private final Map<String, Integer> fieldsOfKeyword = new TreeMap<>();

  /** Number of the line inside which the file ends; 0 if its last line is complete. */
  private int cutLine;

  private String damage = "";

  /** True if at least one scan with a pose on its line can be read. */
  private boolean tellsPoses;

  private int posedScans;
  private int rawScans;

  private LogPreScan(CarmenSettings settings) {
    this.view = new FrontLaserAngles(settings, parameters);
    this.scanLineParser = new ScanLineParser(view);
  }

  /** Returns true if any line of a text file begins with one of these words. */
  static boolean hasLine(Path file, Set<String> keywords) throws IOException {
    try (LineReader lineReader = new LineReader(UnpackedFile.open(file))) {
      String line = lineReader.next();
      while (line != null && !keywords.contains(LineReader.keyword(line))) {
        line = lineReader.next();
      }
      return line != null;
    }
  }

  /**
   * Reads a file from front to back.
   *
   * @throws FileFormatException if it has no scans, or none that can have odometry
   */
  static LogPreScan of(Path file, CarmenSettings settings) throws IOException {
    LogPreScan logPreScan = new LogPreScan(settings);
    try (LineReader lineReader = new LineReader(UnpackedFile.open(file))) {
      for (String line = lineReader.next(); line != null; line = lineReader.next()) {
        logPreScan.take(lineReader.number(), line, lineReader.endsInsideLine());
      }
      logPreScan.damage = logPreScan.damage(lineReader);
    }
    logPreScan.end(file);
    return logPreScan;
  }

  private void take(int number, String line, boolean isLast) {
    String keyword = LineReader.keyword(line);
    if (isLast && isCutOff(keyword, line)) {
      cutLine = number;
    }
    if (isPassedOver(number, keyword)) {
      return;
    }
    if (GRAPH_KEYWORDS.contains(keyword)) {
      fieldsOfKeyword.put(keyword, new FieldReader(line).remaining());
    }
    graph |= GRAPH_KEYWORDS.contains(keyword);
    boolean isPosed = ScanLineParser.POSED.contains(keyword);
    boolean isRaw = keyword.equals(ScanLineParser.RAW_LASER);
    posedScans += isPosed ? 1 : 0;
    rawScans += isRaw ? 1 : 0;
    if (keyword.equals(CarmenParameters.KEYWORD)) {
      parameters.take(line);
    }
    boolean mayBeRaw = !tellsPoses && !graph;
    if (mayBeRaw) {
      rawLaserScans.take(number, keyword, line);
    }
    if (isPosed || (isRaw && mayBeRaw)) {
      look(keyword, line);
    }
  }

  /**
   * Returns true if the last line, without a line feed, lacks fields that lines of its kind have.
   */
  private boolean isCutOff(String keyword, String line) {
    if (SCAN_KEYWORDS.contains(keyword)) {
      try {
        scanLineParser.parse(line);
        return false;
      } catch (UnusableLineException e) {
        return e.why().refusal() == ReadingRefusal.TOO_FEW_NUMBERS;
      }
    }
    if (GRAPH_KEYWORDS.contains(keyword)) {
      return new FieldReader(line).remaining() < fieldsOfKeyword.getOrDefault(keyword, 0);
    }
    return Stream.concat(SCAN_KEYWORDS.stream(), GRAPH_KEYWORDS.stream())
        .anyMatch(known -> known.startsWith(keyword) && !keyword.isEmpty());
  }

  /**
   * Returns true for a line without a scan that was cut off. A cut-off line with a scan is not
   * passed over, but refused with its reason.
   */
  boolean isPassedOver(int number, String keyword) {
    return number == cutLine && !SCAN_KEYWORDS.contains(keyword);
  }

  private String damage(LineReader lines) {
    String why =
        lines.archiveDamage().isEmpty()
            ? "the file"
            : "the archive is damaged (" + lines.archiveDamage() + "), and its readable part";
    if (cutLine > 0) {
      return "%s ends inside line %d; the %d lines before it are read"
          .formatted(why, cutLine, cutLine - 1);
    }
    return lines.archiveDamage().isEmpty()
        ? ""
        : "%s, %d lines, is read".formatted(why, lines.number());
  }

  private void look(String keyword, String line) {
    try {
      Reading reading = scanLineParser.parse(line);
      switch (keyword) {
        case ScanLineParser.RAW_LASER -> rawLaserScans.add(reading);
        case ScanLineParser.FRONT_LASER -> {
          frontLaser.add(reading);
          view.add(reading.scan().beams());
        }
        default -> robotLaser.add(reading);
      }
      tellsPoses |= !keyword.equals(ScanLineParser.RAW_LASER);
    } catch (UnusableLineException e) {
      // The line will be refused with number and reason in the second pass.
    }
  }

  private void end(Path file) throws FileFormatException {
    if (scans() == 0) {
      throw new FileFormatException(
          file
              + (graph ? " is a pose graph without" : " has no")
              + " laser scans; scans are "
              + FORM);
    }
    if (rawCounts()) {
      rawLaserScans.end(file);
    }
    frontLaser.end(parameters.frontMount());
    robotLaser.end(parameters.mount());
  }

  /** True if the scans are those on {@code RAWLASER1} lines. */
  private boolean rawCounts() {
    return rawScans > 0 && !tellsPoses && !graph;
  }

  /** Number of scan lines, at least 1. */
  int scans() {
    return rawCounts() ? rawScans : posedScans;
  }

  /** Returns true if a line counts as a scan line, usable or not. */
  boolean isScan(String line) {
    String keyword = LineReader.keyword(line);
    return rawCounts()
        ? keyword.equals(ScanLineParser.RAW_LASER)
        : ScanLineParser.POSED.contains(keyword);
  }

  /** Parses a scan line, with the mount and maximum range found in the first pass. */
  Reading reading(String line) throws UnusableLineException {
    Reading alone = scanLineParser.parse(line);
    return switch (LineReader.keyword(line)) {
      case ScanLineParser.RAW_LASER -> rawLaserScans.reading(alone);
      case ScanLineParser.FRONT_LASER -> frontLaser.interpret(alone);
      default -> robotLaser.interpret(alone);
    };
  }

  /** See {@link LaserLog#damage}. */
  Optional<String> damage() {
    return damage.isEmpty() ? Optional.empty() : Optional.of(damage);
  }

  /** Assumptions made in reading the log, see {@link LaserLog#notices}. */
  List<String> notices() {
    List<String> notices = new ArrayList<>(view.notices());
    if (rawCounts()) {
      notices.addAll(rawLaserScans.notices());
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
}
