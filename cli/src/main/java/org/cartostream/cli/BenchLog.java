package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A log with what to measure its trajectory by.
 *
 * @param name for tables
 * @param reference a trajectory, or null if the log holds its own
 * @param relations a file of relations, or null
 */
record BenchLog(String name, Path file, Path reference, Path relations) {

  /** Every {@code NAME.clf} of a folder that has a {@code NAME.reference.tum}, by name. */
  static List<BenchLog> in(Path folder) throws IOException {
    List<BenchLog> logs = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.clf")) {
      for (Path file : files) {
        String name = OutputFolder.name(file);
        Path reference = folder.resolve(name + ".reference.tum");
        Path relations = folder.resolve(name + ".relations");
        if (Files.exists(reference)) {
          logs.add(new BenchLog(name, file, reference, Files.exists(relations) ? relations : null));
        }
      }
    }
    logs.sort(Comparator.comparing(BenchLog::name));
    return logs;
  }
}
