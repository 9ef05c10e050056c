package org.cartostream.run.maps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.run.exit.ExitException;
import org.cartostream.web.recording.RunRecorder;

/**
 * Check that the files that a run reads are not in its output folder, where the files of an older
 * run are deleted.
 */
public final class NeededFiles {

  private NeededFiles() {}

  /**
   * Checks that no input log is the recording in the output folder, which the run would replace
   * while reading it.
   *
   * @throws ExitException if an input log is that recording
   */
  public static void keepLogsApart(Path folder, List<Path> logs) throws IOException {
    for (Path log : logs) {
      if (isSame(folder.resolve(RunRecorder.FILE), log)) {
        throw ExitException.wrongUsage(
            ("the log '%s' lies in the output folder, where it would be replaced; --out DIR names"
                    + " another")
                .formatted(log));
      }
    }
  }

  /**
   * Checks that the files with which a run begins, such as a map or a saved state, are not in the
   * output folder.
   *
   * @param needed the needed files; first the one that the user named
   * @throws ExitException if a needed file lies in the folder
   */
  public static void keepApart(Path folder, List<Path> needed) throws IOException {
    for (Path file : needed) {
      Path parent = file.toAbsolutePath().normalize().getParent();
      boolean isApart = parent == null || !isSame(parent, folder);
      for (String name : RunFiles.ALL.keySet()) { // It may be a link into the folder.
        isApart &= !isSame(folder.resolve(name), file);
      }
      if (!isApart) {
        throw ExitException.wrongUsage(
            ("the output folder '%s' holds '%s', which this run begins with and would replace;"
                    + " --out DIR names another")
                .formatted(folder, needed.get(0)));
      }
    }
  }

  private static boolean isSame(Path one, Path other) throws IOException {
    return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
  }
}
