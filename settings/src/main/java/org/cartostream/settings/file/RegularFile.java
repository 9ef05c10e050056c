package org.cartostream.settings.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Checks of a file before it is read or written. Its folder may be a stranger's, and the file a
 * link out of it, a pipe that nobody writes to, or a device, which has no end.
 */
public final class RegularFile {

  private RegularFile() {}

  /**
   * Makes sure that a file can be read into memory as a whole. A link to such a file is one.
   *
   * @param what it is to be, for people: {@code report of a run}
   * @param refusal makes the exception of a sentence
   * @return the file
   * @throws E if it is none, for what its length says
   * @throws IOException if it is not there
   */
  public static <E extends Exception> Path requireSmall(
      Path file, String what, long maxBytes, Function<String, E> refusal) throws E, IOException {
    long bytes = Files.size(file);
    if (!Files.isRegularFile(file)) {
      throw refusal.apply(
          "%s is no %s: it is no file but a folder, a pipe or a device".formatted(file, what));
    }
    if (bytes > maxBytes) {
      throw refusal.apply(
          "%s is no %s: it has %d bytes, and at most %d are read"
              .formatted(file, what, bytes, maxBytes));
    }
    return file;
  }

  /**
   * Makes sure that a file is no link and nothing else but a file, if there is anything.
   *
   * @param refusal makes the exception of a sentence
   */
  public static <E extends Exception> void requireNoLink(Path file, Function<String, E> refusal)
      throws E {
    if (Files.exists(file, NOFOLLOW_LINKS) && !Files.isRegularFile(file, NOFOLLOW_LINKS)) {
      throw refusal.apply(
          file + " is no regular file but a link, a folder, a pipe or a device; move it away");
    }
  }

  /**
   * Makes sure that a file can take the place of what is there: a link, and not what it leads to.
   *
   * @param refusal makes the exception of a sentence
   */
  public static <E extends Exception> void requireNoFolder(Path file, Function<String, E> refusal)
      throws E {
    if (Files.isDirectory(file, NOFOLLOW_LINKS)) {
      throw refusal.apply(
          "'%s' is a folder, and the run writes a file of that name; move it away, or name another place by --out DIR"
              .formatted(file));
    }
  }
}
