package org.cartostream.settings.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder with all that is in it. */
public final class FolderTree {

  private FolderTree() {}

  /**
   * Deletes a folder; of links in it, not what they lead to.
   *
   * @throws UncheckedIOException if it is not there, or something stays
   */
  public static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new UncheckedIOException(
          "cannot delete " + folder,
          e instanceof IOException why ? why : (IOException) e.getCause());
    }
  }
}
