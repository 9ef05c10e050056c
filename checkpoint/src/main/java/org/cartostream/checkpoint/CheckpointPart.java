package org.cartostream.checkpoint;

import java.util.regex.Pattern;

/**
 * A part of a checkpoint, as a manifest lists it: the state of one component, or a content that is
 * stored beside the component's state.
 *
 * <p>The part's name becomes part of a file's name. A manifest may come from an untrusted file, so
 * names that could lead into another folder are refused.
 *
 * @param name name of the component, such as {@code dispatcher} or {@code matchers-2}; for a
 *     content beside its state, followed by the content's number, as in {@code publisher-0.12}
 * @param bytes length of the content, bytes
 * @param sha256 SHA-256 of the content, 64 hexadecimal digits; empty for a part that is not stored
 * @param shared true if the part is stored once for all checkpoints of the run that list it
 */
public record CheckpointPart(String name, long bytes, String sha256, boolean shared) {

  /** Regular expression that all names of parts match. */
  static final String NAMES = "[A-Za-z0-9_-]{1,128}(\\.\\d{1,9})?";

  private static final Pattern NAME = Pattern.compile(NAMES);
  private static final Pattern SHA256 = Pattern.compile("([0-9a-f]{64})?");

  public CheckpointPart {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot name a part: at most 128 letters, digits, '-' and '_' can, and '.12' behind them"
              .formatted(StateCodec.shown(String.valueOf(name))));
    }
    if (sha256 == null || !SHA256.matcher(sha256).matches() || bytes < 0) {
      throw new IllegalArgumentException(
          "the part '%s' has %d bytes and the SHA-256 '%s'; at least 0 bytes and 64 hexadecimal digits are needed"
              .formatted(name, bytes, StateCodec.shown(String.valueOf(sha256))));
    }
  }

  /**
   * Checks that the heap can hold the content, before memory is allocated.
   *
   * @throws CheckpointException if the content is longer than half of the heap: the objects decoded
   *     from it take as much again
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
