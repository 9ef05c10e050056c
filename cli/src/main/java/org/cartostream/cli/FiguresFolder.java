package org.cartostream.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Where a bench's figures go. */
final class FiguresFolder {

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/bench",
      description = "Folder for the figures. Default: out/bench.")
  private Path path;

  /** The folder, made if it is missing. */
  Path prepared() {
    OutputFolder.prepare(path);
    return path;
  }

  /** Tells the user which files there are now. */
  static void tell(List<Path> written, PrintWriter screen) {
    written.forEach(file -> screen.println("written: " + file));
    screen.flush();
  }
}
