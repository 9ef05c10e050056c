package org.cartostream.gateway.replay;

/**
 * The speed of a replay.
 *
 * @param factor 1 for the log's own pace, 10 for ten times as fast; infinite for as fast as the
 *     filter takes readings
 */
public record Pace(double factor) {

  /** Pace as fast as the filter takes readings. */
  public static final Pace MAX = new Pace(Double.POSITIVE_INFINITY);

  public Pace {
    if (!(factor > 0)) {
      throw new IllegalArgumentException(
          "a pace of " + factor + "; it must be 'max' or a number above 0");
    }
  }

  /**
   * Reads a pace as a user writes it.
   *
   * @throws IllegalArgumentException if the text is neither {@code max} nor a number above 0
   */
  public static Pace parse(String text) {
    if (text.equals("max")) {
      return MAX;
    }
    try {
      double factor = Double.parseDouble(text);
      if (factor > 0 && Double.isFinite(factor)) {
        return new Pace(factor);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(wrong(text), e);
    }
    throw new IllegalArgumentException(wrong(text));
  }

  private static String wrong(String text) {
    return "a pace of '" + text + "'; it must be 'max' or a number above 0";
  }

  /**
   * Returns the duration in the replay of {@code logNanos} of the log, nanoseconds; never negative.
   */
  public long replayNanos(long logNanos) {
    return Math.max(0, (long) (logNanos / factor));
  }
}
