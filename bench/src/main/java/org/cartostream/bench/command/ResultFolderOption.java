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

  /** The folder, made if it is missing. */
  Path prepare() {
    OutputFolder.prepare(path);
    return path;
  }

  /** Tells the user which files there are now. */
  static void printWritten(List<Path> written, PrintWriter screen) {
    written.forEach(file -> screen.println("written: " + file));
    screen.flush();
  }
}
