package org.cartostream.checkpoint;

import java.util.regex.Pattern;
import org.cartostream.settings.file.PrintableText;

/**
 * One component's state in a checkpoint, or a content beside it, as a manifest names it.
 *
 * <p>A store makes a file's name of it. A manifest may be a stranger's, so no part is made whose
 * name leads elsewhere.
 *
 * @param name the component's: {@code dispatcher}, {@code matcher-2}; that of a content beside has
 *     its number behind: {@code publisher-0.12}
 * @param bytes length
 * @param sha256 of the content, 64 hexadecimal digits; empty of a part that is not stored
 * @param shared true if it is not of one checkpoint, but of all of its run that name it
 */
public record CheckpointPart(String name, long bytes, String sha256, boolean shared) {

  /** Form of a name, as a regular expression. */
  static final String NAMES = "[A-Za-z0-9_-]{1,128}(\\.\\d{1,9})?";

  private static final Pattern NAME = Pattern.compile(NAMES);
  private static final Pattern SHA256 = Pattern.compile("([0-9a-f]{64})?");

  public CheckpointPart {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot name a part: at most 128 letters, digits, '-' and '_' can, and '.12' behind them"
              .formatted(PrintableText.of(name)));
    }
    if (sha256 == null || !SHA256.matcher(sha256).matches() || bytes < 0) {
      throw new IllegalArgumentException(
          "the part '%s' has %d bytes and the SHA-256 '%s'; at least 0 bytes and 64 hexadecimal digits are needed"
              .formatted(name, bytes, PrintableText.of(sha256)));
    }
  }

  /**
   * Makes sure that there can be memory for the content, before it is taken.
   *
   * @throws CheckpointException if not: the objects in it take as much again
   */
  void requireMemory() throws CheckpointException {
    long max = Math.min(Integer.MAX_VALUE - 64, Runtime.getRuntime().maxMemory() / 2);
    if (bytes > max) {
      throw new CheckpointException(
          "the part '%s' has %,d bytes, and this process has memory for one of %,d: it needs a larger heap (-Xmx)"
              .formatted(name, bytes, max));
    }
  }
}
