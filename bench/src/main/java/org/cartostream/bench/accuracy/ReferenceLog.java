package org.cartostream.bench.accuracy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;

/**
 * Log with its ground truth, by which a trajectory is measured.
 *
 * @param name name of the log, for tables
 * @param file the log
 * @param reference file of a true trajectory; null if the log contains its own
 * @param relations file of true relations between poses; null if there is none
 */
public record ReferenceLog(String name, Path file, Path reference, Path relations) {

  private static final String CARMEN = ".clf";

  /**
   * Returns every {@code NAME.clf} of a folder that has a {@code NAME.reference.tum}, and every
   * {@code NAME.g2o}, by name.
   */
  public static List<ReferenceLog> in(Path folder) throws IOException {
    List<ReferenceLog> logs = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{clf,g2o}")) {
      for (Path file : files) {
        String name = OutputFolder.baseName(file);
        Path reference = folder.resolve(name + ".reference.tum");
        Path relations = folder.resolve(name + ".relations");
        if (Files.exists(reference) || !file.toString().endsWith(CARMEN)) {
          logs.add(new ReferenceLog(name, file, present(reference), present(relations)));
        }
      }
    }
    logs.sort(Comparator.comparing(ReferenceLog::name));
    return logs;
  }

  private static Path present(Path file) {
    return Files.exists(file) ? file : null;
  }

  /** Returns the mean number of beams of a usable scan. */
  public double meanBeams() throws IOException {
    long beams = 0;
    long scans = 0;
    try (LaserLog log = InputLog.open(file)) {
      while (log.hasNext()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          beams += usable.reading().scan().beams();
          scans++;
        }
      }
    }
    return (double) beams / Math.max(1, scans);
  }
}
