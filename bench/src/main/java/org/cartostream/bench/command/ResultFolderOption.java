package org.cartostream.bench.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.run.files.OutputFolder;
import picocli.CommandLine.Option;

/** Option for the folder of a measurement's figures. */
final class ResultFolderOption {

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/bench",
      description = "Folder for the figures. Default: out/bench.")
  private Path path;

  /** Returns the folder; it is made if it is missing. */
  Path prepare() {
    OutputFolder.prepare(path);
    return path;
  }

  /** Prints which files were written. */
  static void printWritten(List<Path> written, PrintWriter screen) {
    written.forEach(file -> screen.println("written: " + file));
    screen.flush();
  }
}
