package org.cartostream.run.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.regex.Pattern;
import org.cartostream.run.exit.ExitException;
import org.cartostream.settings.file.RegularFile;

/**
 * Checks of a run's output folder, which are done before the run so that no work is lost at its
 * end.
 */
public final class OutputFolder {

  private static final String DEFAULT = "out";
  private static final Pattern PACKED = Pattern.compile("(?<=.)\\.(gz|zip)$");

  private OutputFolder() {}

  /**
   * Returns the default output folder: {@code out/<name of the log>} under the current folder.
   *
   * @param suffix suffix to the name, for a run that begins with the results of another run of the
   *     log
   */
  public static Path of(Path log, String suffix) {
    String name = baseName(log) + suffix;
    return Path.of(
        DEFAULT, name.matches("\\.{0,2}") ? "log" : name); // Of '...clf', no folder above.
  }

  /**
   * Checks that files can be written to the output folder, which is created if it is missing.
   *
   * @throws ExitException if no file can be written
   */
  public static void prepare(Path folder) {
    if (folder.toString().isEmpty()) {
      throw ExitException.wrongUsage(
          "the output folder is ''; --out DIR names one, '.' is this one");
    }
    prepare(folder, "output folder", "--out DIR");
  }

  /**
   * Checks that files can be written to a folder, which is created if it is missing.
   *
   * @param what name of the folder's purpose, for people
   * @param option option or variable that names another folder
   */
  public static void prepare(Path folder, String what, String option) {
    try {
      Files.createDirectories(folder);
      Path trial = Files.createTempFile(folder, ".writable", null);
      try {
        Files.write(trial, new byte[1]); // A full disk may still create empty files.
      } finally {
        Files.delete(trial);
      }
    } catch (FileAlreadyExistsException e) {
      throw ExitException.failed(
          "the %s '%s' cannot be made: '%s' is a file".formatted(what, folder, e.getFile()), e);
    } catch (IOException e) {
      throw ExitException.failed(
          "cannot write to the %s '%s': %s; %s names another"
              .formatted(what, folder, reason(e), option),
          e);
    }
  }

  /**
   * Checks that a run's files would replace no folder of others. A link with the name of a file is
   * allowed: the link is replaced, not the file that it leads to.
   *
   * @param files names of the files that the run writes
   * @param subfolder name of the run's subfolder
   * @throws ExitException if a file's name is taken by a folder, or the subfolder's by a link
   */
  public static void requireOwn(Path folder, Collection<String> files, String subfolder) {
    for (String name : files) {
      RegularFile.requireNoFolder(folder.resolve(name), ExitException::failed);
    }
    if (Files.isSymbolicLink(folder.resolve(subfolder))) {
      throw ExitException.failed(
          "'%s' is a link, and the run would replace what is where it leads to; --out DIR names another place"
              .formatted(folder.resolve(subfolder)));
    }
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "no permission";
    }
    if (e instanceof NoSuchFileException there) {
      return "nothing can be made at '" + there.getFile() + "'";
    }
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : e.getMessage();
  }

  /**
   * Returns a log's name without its folders and endings: {@code killian} of {@code
   * killian.g2o.zip}, {@code 2026.11.22} of {@code 2026.11.22.clf}.
   */
  public static String baseName(Path log) {
    return withoutEnding(PACKED.matcher(String.valueOf(log.getFileName())).replaceFirst(""));
  }

  private static String withoutEnding(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 1 ? name : name.substring(0, dot);
  }
}
