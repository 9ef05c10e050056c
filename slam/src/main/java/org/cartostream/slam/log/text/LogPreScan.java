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
 * The first pass over a log: finds out how its scan lines are to be read. It reads every scan line
 * whole.
 *
 * <p>A log may have the scans of one laser twice, on {@code RAWLASER1} lines and on others. Those
 * that carry their own pose count then, if one of them can be read: whoever wrote it knew the
 * robot.
 *
 * <p>Owns what is known of the file's lasers.
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

  /** The line inside which the file ends; 0 if it ends behind one. */
  private int cutLine;

  private String damage = "";

  /** One of the scans at least can be read and carries its own pose. */
  private boolean tellsPoses;

  private int posedScans;
  private int rawScans;

  private LogPreScan(CarmenSettings settings) {
    this.view = new FrontLaserAngles(settings, parameters);
    this.scanLineParser = new ScanLineParser(view);
  }

  /** True if a line of a text begins with one of these words. */
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

  /** True if a line that nothing ends lacks something that lines of its kind have. */
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

  /** True for a line that was cut off; one with a scan is refused with its reason. */
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
      // It will be refused, with its number and the reason, when its turn comes.
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

  /** True if a line is one of those that are counted, usable or not. */
  boolean isScan(String line) {
    String keyword = LineReader.keyword(line);
    return rawCounts()
        ? keyword.equals(ScanLineParser.RAW_LASER)
        : ScanLineParser.POSED.contains(keyword);
  }

  /** The reading on a scan line, as the whole file lets it be understood. */
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
