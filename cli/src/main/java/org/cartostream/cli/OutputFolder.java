package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a run's files go: checked before the run, so that no hour's work is done for nothing. */
final class OutputFolder {

  private static final String DEFAULT = "out";

  private OutputFolder() {}

  /**
   * Makes sure that files can be written.
   *
   * @param given by the user, or null for {@code out/<log name>} under the current folder
   * @throws Failure if they cannot
   */
  static Path prepare(Path given, Path log) {
    Path folder = given == null ? Path.of(DEFAULT, name(log)) : given;
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".writable", null));
    } catch (FileAlreadyExistsException e) {
      throw Failure.failed(
          "the output folder '" + folder + "' cannot be made: '" + e.getFile() + "' is a file", e);
    } catch (IOException e) {
      throw Failure.failed(
          "cannot write to the output folder '" + folder + "'; --out DIR names another", e);
    }
    return folder;
  }

  /** A log's name without its folders and endings: {@code killian} of {@code killian.g2o.zip}. */
  static String name(Path log) {
    String name = String.valueOf(log.getFileName());
    int dot = name.indexOf('.', 1);
    return dot < 0 ? name : name.substring(0, dot);
  }
}
