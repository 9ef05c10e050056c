package org.cartostream.run.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.RobotId;
import org.cartostream.gateway.ros.bag.BagLog;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.settings.file.PrintableText;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnpackedFile;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogFormat;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.log.text.G2oLog;

/**
 * Reader of the logs that a command line names: a file of any known format, or the name of a data
 * set.
 */
public final class InputLog {

  private static final RootSettings DEFAULTS = Settings.defaults(RootSettings.class);
  private static final List<LogFormat> KNOWN = formats(DEFAULTS);

  /** Name of the metadata file of a rosbag2 folder; as a LOG it stands for its folder. */
  private static final String ROSBAG2_METADATA = "metadata.yaml";

  private InputLog() {}

  /**
   * Returns all formats of logs. A file is read by the first format that accepts it. A new format
   * is added here.
   */
  public static List<LogFormat> formats(RootSettings settings) {
    return List.of(
        BagLog.format(settings.ros()),
        G2oLog.format(settings.carmen()),
        CarmenLog.format(settings.carmen()));
  }

  /** Returns a list for people of the files that are logs in the selected formats. */
  public static String known(Predicate<LogFormat> which) {
    return KNOWN.stream().filter(which).map(LogFormat::files).collect(Collectors.joining(", "));
  }

  /** The files of each format of logs, for the help of commands. */
  public static final class Formats implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return KNOWN.stream().map(LogFormat::files).iterator();
    }
  }

  /** Opens a log with the default settings, see {@link #open(List, RootSettings, Consumer)}. */
  public static LaserLog open(Path log) throws IOException {
    return open(List.of(log), DEFAULTS);
  }

  /** Opens a log, see {@link #open(List, RootSettings, Consumer)}. */
  public static LaserLog open(List<Path> logs, RootSettings settings) throws IOException {
    return open(logs, settings, notice -> {});
  }

  /**
   * Opens a log of whatever format, or several files of one format as one log.
   *
   * @param settings settings with which the log is read
   * @param notices receives a sentence for each changed setting that has no effect on this log's
   *     format
   * @throws FileFormatException if a file is no log, or the files have several formats
   * @throws IOException if a file cannot be read
   */
  public static LaserLog open(List<Path> logs, RootSettings settings, Consumer<String> notices)
      throws IOException {
    List<LogFormat> formats = formats(settings);
    LogFormat format = formatOf(logs.get(0), formats);
    for (Path log : logs.subList(1, logs.size())) {
      LogFormat other = formatOf(log, formats);
      if (other != format) {
        throw new FileFormatException(
            "%s is a %s and %s is a %s; several files as one log must be of one kind"
                .formatted(logs.get(0), format.name(), log, other.name()));
      }
    }
    tellIdle(settings, format, notices);
    return format.open(logs);
  }

  /** Returns the format of a file: the first format that accepts the file. */
  static LogFormat formatOf(Path log, List<LogFormat> formats) throws IOException {
    FileFormatException why = null;
    for (LogFormat each : formats) {
      try {
        if (each.sniffer().takes(log)) {
          return each;
        }
      } catch (FileFormatException e) {
        why = e;
      }
    }
    throw why == null ? noLog(log) : why;
  }

  private static FileFormatException noLog(Path file) throws IOException {
    try (LineReader lineReader = new LineReader(UnpackedFile.open(file))) {
      String first = lineReader.next();
      while (first != null && LineReader.keyword(first).isEmpty()) {
        first = lineReader.next();
      }
      String line = first == null ? "" : PrintableText.of(first);
      String what = first == null ? "empty" : "no log (its first line is \"" + line + "\")";
      return new FileFormatException(
          "%s is %s; one of these is needed: %s".formatted(file, what, known(format -> true)));
    }
  }

  /** Reports settings that differ from the defaults and have an effect on other formats only. */
  private static void tellIdle(RootSettings settings, LogFormat format, Consumer<String> notices) {
    Map<String, String> changed = Settings.values(settings);
    changed.entrySet().removeAll(Settings.values(DEFAULTS).entrySet());
    changed.keySet().removeAll(format.heeds());
    for (String key : changed.keySet()) {
      KNOWN.stream()
          .filter(other -> other.heeds().contains(key))
          .map(LogFormat::name)
          .reduce((one, other) -> one + " or " + other)
          .ifPresent(other -> notices.accept(key + " changes nothing: the log is no " + other));
    }
  }

  /** Returns the id of a log's robot: the log's name, converted to a valid {@link RobotId}. */
  public static String robotId(Path log) {
    String id = OutputFolder.baseName(log).replaceAll("[^A-Za-z0-9_-]", "_");
    return id.substring(0, Math.min(id.length(), RobotId.MAX_CHARACTERS));
  }

  /**
   * Returns the file or folder of a LOG: the file itself, the rosbag2 folder of a metadata file, or
   * the file of a data set, which is downloaded if it is not in the cache.
   *
   * @throws ExitException if the argument is neither a log nor a data set, or the data set cannot
   *     be downloaded
   */
  public static Path resolve(String argument, DataSets dataSets) {
    Path file = Path.of(argument);
    if (file.endsWith(ROSBAG2_METADATA) && isLog(file.toAbsolutePath().getParent())) {
      return file.toAbsolutePath().getParent();
    }
    boolean folder = Files.isDirectory(file) && !isLog(file);
    if (Files.exists(file) && !folder) {
      return file;
    }
    if (dataSets.list().containsKey(argument)) {
      return dataSets.fetch(argument);
    }
    if (folder) {
      throw ExitException.wrongUsage(
          "'%s' is a folder; a log file is needed, one of these: %s%s"
              .formatted(argument, known(format -> true), logsIn(file)));
    }
    throw ExitException.wrongUsage(
        "there is no log file '"
            + argument
            + "', and no data set of that name; data sets are: "
            + String.join(", ", dataSets.list().keySet()));
  }

  /**
   * Returns the end of a sentence, which lists the rosbag2 logs in a folder; empty if the folder
   * has none.
   */
  private static String logsIn(Path folder) {
    try (Stream<Path> inside = Files.list(folder)) {
      List<Path> logs = inside.filter(each -> Files.isDirectory(each) && isLog(each)).toList();
      return logs.isEmpty() ? "" : "; in it are " + logs;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private static boolean isLog(Path folder) {
    try {
      formatOf(folder, KNOWN);
      return true;
    } catch (FileFormatException e) {
      return false;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }
}
