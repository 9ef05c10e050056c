package org.cartostream.slam.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of a run's folder that is read into memory as a whole. The folder may be a stranger's, and
 * the file a link to a device, which has no end.
 */
public final class SmallFile {

  private SmallFile() {}

  /**
   * Makes sure that it can be read.
   *
   * @param what it is to be, for people: {@code report of a run}
   * @throws FileFormatException if it is none, for what its length says
   */
  public static void require(Path file, String what, long maxBytes) throws IOException {
    long bytes = Files.size(file);
    if (!Files.isRegularFile(file)) {
      throw new FileFormatException(
          "%s is no %s: it is no file but a folder, a pipe or a device".formatted(file, what));
    }
    if (bytes > maxBytes) {
      throw new FileFormatException(
          "%s is no %s: it has %d bytes, and at most %d are read"
              .formatted(file, what, bytes, maxBytes));
    }
  }
}
