package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Logs to replay in tests. */
final class Logs {

  /** The build says where the repository is; an IDE runs a module's tests in the module. */
  static final Path ROOT = Path.of(System.getProperty("cartostream.root", "..")).toAbsolutePath();

  static final Path OFFICE = ROOT.resolve("datasets/office.clf");
  static final Path OFFICE_REFERENCE = ROOT.resolve("datasets/office.reference.tum");

  private Logs() {}

  /** The first scan lines of the office log. */
  static List<String> office(int scans) throws IOException {
    return Files.readAllLines(OFFICE).stream()
        .filter(line -> line.startsWith("FLASER") || line.startsWith("ROBOTLASER1"))
        .limit(scans)
        .toList();
  }

  static Path file(Path folder, List<String> lines) throws IOException {
    return Files.write(folder.resolve("my.clf"), lines);
  }
}
