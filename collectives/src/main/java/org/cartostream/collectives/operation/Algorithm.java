package org.cartostream.collectives.operation;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The message pattern by which payloads travel. {@link Operation#algorithms} lists those of each
 * operation; the results are the same to the last bit.
 */
public enum Algorithm {
  /** Chosen by size and number of members, see {@code AlgorithmSelector}. */
  AUTO,

  /**
   * Messages go from each sender straight to each receiver: fewest hops, most work for the sender.
   */
  FLAT,

  /** Along a binary tree, below its root each member has two: about log2(n) hops. */
  TREE,

  /**
   * Messages go from member to member, in parts, so that all links are busy at once; for large
   * payloads.
   */
  RING,

  /** Like the ring, in both directions at once: half as many hops. */
  TWO_RINGS,

  /**
   * Recursive doubling: what a member has gathered doubles at each of ⌈log2 n⌉ steps, in the form
   * of Bruck et al., "Efficient algorithms for all-to-all communications in multiport
   * message-passing systems" (1997), section 4, which takes any number of members.
   */
  DOUBLING;

  /**
   * The algorithm of that name, as in {@code two-rings}.
   *
   * @throws IllegalArgumentException if there is none
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

  /** Returns the name as in {@code two-rings}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
