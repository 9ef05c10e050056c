package org.cartostream.collectives.operation;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The message pattern by which payloads travel. {@link Operation#algorithms} lists the algorithms
 * of each operation; all give the same result to the last bit.
 */
public enum Algorithm {
  /** Automatic choice, by the number of members. */
  AUTO,

  /**
   * Messages go from each sender straight to each receiver: fewest hops, most work for the sender.
   */
  FLAT,

  /**
   * Recursive doubling: at each of ⌈log2 n⌉ steps, a member doubles the number of payloads that it
   * has gathered, as in Bruck et al., "Efficient algorithms for all-to-all communications in
   * multiport message-passing systems" (1997), section 4, which takes any number of members.
   */
  DOUBLING;

  /**
   * Returns the algorithm of a name such as {@code doubling}.
   *
   * @throws IllegalArgumentException if no algorithm has that name
   */
  public static Algorithm named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + name
                        + "' is no algorithm; there are: "
                        + Arrays.stream(values())
                            .map(Algorithm::toString)
                            .collect(Collectors.joining(", "))));
  }

  /** Returns the name in the form {@code doubling}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
