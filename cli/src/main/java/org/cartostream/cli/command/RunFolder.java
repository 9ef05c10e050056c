package org.cartostream.cli.command;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.web.recording.RunRecorder;

/** Check of the folder that a user names in order to look at a run. */
final class RunFolder {

  private static final Path REPLAYS = Path.of("out");
  private static final int MAX_NAMED = 5;

  private RunFolder() {}

  /**
   * Checks that a folder has a run's recording or map.
   *
   * @throws ExitException if it has neither; the message says what was found instead, and which
   *     folders the user may have meant
   */
  static void require(Path folder) {
    if (hasRun(folder)) {
      return;
    }
    if (!Files.exists(folder)) {
      throw ExitException.failed("there is no folder '%s'; %s".formatted(folder, meant(folder)));
    }
    if (!Files.isDirectory(folder)) {
      throw ExitException.failed(
          "'%s' is a file, and a run's folder is needed; %s".formatted(folder, meant(folder)));
    }
    throw ExitException.failed(
        "the folder '%s' has no run: neither %s nor %s; %s"
            .formatted(folder, RunRecorder.FILE, MapFiles.DESCRIPTION, meant(folder)));
  }

  private static boolean hasRun(Path folder) {
    return Stream.of(RunRecorder.FILE, MapFiles.DESCRIPTION)
        .anyMatch(file -> Files.exists(folder.resolve(file)));
  }

  /**
   * Returns a sentence on runs in or beside the named folder, or else in the default output folder
   * of replays.
   */
  private static String meant(Path folder) {
    Path parent = folder.getParent() == null ? Path.of(".") : folder.getParent();
    return Stream.of(folder, parent, REPLAYS)
        .map(RunFolder::runs)
        .filter(runs -> !runs.isEmpty())
        .findFirst()
        .map(RunFolder::sentence)
        .orElse("'cartostream replay LOG' leaves a run's files in out/<name of the log>");
  }

  /**
   * Returns the runs in a folder: the folder itself and its subfolders that have a run; empty if it
   * cannot be listed.
   */
  private static List<Path> runs(Path place) {
    File[] entries = place.toFile().listFiles();
    return entries == null
        ? List.of()
        : Stream.concat(Stream.of(place), Stream.of(entries).map(File::toPath).sorted())
            .filter(RunFolder::hasRun)
            .toList();
  }

  private static String sentence(List<Path> runs) {
    int others = runs.size() - MAX_NAMED;
    return (runs.size() == 1 ? "a run is in " : "runs are in ")
        + runs.stream().limit(MAX_NAMED).map(RunFolder::name).collect(Collectors.joining(", "))
        + (others > 0 ? " and " + others + " more" : "");
  }

  private static String name(Path run) {
    Path name = run.normalize(); // Drops a leading '.'; the path '.' itself becomes empty.
    return "'" + (name.toString().isEmpty() ? run : name) + "'";
  }
}
