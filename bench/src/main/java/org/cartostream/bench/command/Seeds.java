package org.cartostream.bench.command;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Seeds as the command line names them: {@code 1,2,7} or {@code 1..5}, or both. */
record Seeds(List<Long> list) {

  private static final String RANGE = "..";
  private static final int MAX = 1_000;

  /**
   * Parses seeds.
   *
   * @throws IllegalArgumentException if the text names no seeds
   */
  public static Seeds parse(String text) {
    return new Seeds(Arrays.stream(text.split(",", -1)).flatMap(Seeds::part).toList());
  }

  private static Stream<Long> part(String text) {
    int dots = text.indexOf(RANGE);
    if (dots < 0) {
      return Stream.of(Long.valueOf(text));
    }
    long first = Long.parseLong(text.substring(0, dots));
    long last = Long.parseLong(text.substring(dots + RANGE.length()));
    if (last < first || last - first >= MAX) {
      throw new IllegalArgumentException(
          "'" + text + "' must lead upwards, by less than " + MAX + " seeds");
    }
    return LongStream.rangeClosed(first, last).boxed();
  }
}
