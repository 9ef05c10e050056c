package org.cartostream.run.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.RobotId;
import org.cartostream.gateway.ros.bag.BagLog;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.text.TextLogs;

/** Opens a LOG of the command line: a file, or the name of a data set. */
public final class InputLog {

  private InputLog() {}

  /**
   * Opens a log of whatever format: a robot's bag, or what {@link LaserLog#open} takes. Several
   * bags and MCAP files, or CARMEN logs, are one log.
   *
   * @param settings name the frames of a bag, and what a CARMEN log leaves open
   * @throws FileFormatException if some are bags and others are not
   * @throws IOException if one cannot be read, or is no log
   */
  public static LaserLog open(List<Path> logs, RootSettings settings) throws IOException {
    List<Path> bags = new ArrayList<>();
    for (Path log : logs) {
      if (Files.exists(log) && BagLog.isBag(log)) {
        bags.add(log);
      }
    }
    if (bags.isEmpty()) {
      return TextLogs.open(logs, settings.carmen());
    }
    if (bags.size() < logs.size()) {
      List<Path> others = new ArrayList<>(logs);
      others.removeAll(bags);
      throw new FileFormatException(
          "%s is a bag and %s is none; several files as one log must be of one kind"
              .formatted(bags.get(0), others.get(0)));
    }
    return BagLog.open(bags, settings.ros());
  }

  /**
   * Returns notices about a log for people, before it is read, and names settings that change
   * nothing in it.
   */
  public static List<String> notices(LaserLog log, RootSettings settings) {
    List<String> notices = new ArrayList<>(log.notices());
    boolean bag = log instanceof BagLog;
    if (!bag && !settings.ros().bagScanTopic().isEmpty()) {
      notices.add("ros.bagScanTopic changes nothing: the log is no bag");
    }
    if (!bag && !settings.ros().bagOdometryTopic().isEmpty()) {
      notices.add("ros.bagOdometryTopic changes nothing: the log is no bag");
    }
    if (!bag && settings.ros().laserLagSeconds() != 0) {
      notices.add("ros.laserLagSeconds changes nothing: the log is no bag");
    }
    if (bag && settings.carmen().flaserDegrees() != 0) {
      notices.add("carmen.flaserDegrees changes nothing: the log is a bag");
    }
    return notices;
  }

  /** The id of the robot that a log stands for: the log's name, made an id ({@link RobotId}). */
  public static String robotId(Path log) {
    String id = OutputFolder.baseName(log).replaceAll("[^A-Za-z0-9_-]", "_");
    return id.substring(0, Math.min(id.length(), RobotId.MOST_CHARACTERS));
  }

  /**
   * The log's file; a data set is fetched if it is not in the cache yet.
   *
   * @throws ExitException if it is neither a file nor a data set, or cannot be fetched
   */
  public static Path resolve(String argument, DataSets dataSets) {
    Path file = Path.of(argument);
    boolean folder = Files.isDirectory(file) && !isRecording(file);
    if (Files.exists(file) && !folder) {
      return file;
    }
    if (dataSets.list().containsKey(argument)) {
      return dataSets.fetch(argument);
    }
    if (folder) {
      throw ExitException.wrongUsage(
          "'" + argument + "' is a folder; a log file is needed, or a folder of ros2 bag record");
    }
    throw ExitException.wrongUsage(
        "there is no log file '"
            + argument
            + "', and no data set of that name; data sets are: "
            + String.join(", ", dataSets.list().keySet()));
  }

  private static boolean isRecording(Path folder) {
    try {
      return BagLog.isBag(folder);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }
}
