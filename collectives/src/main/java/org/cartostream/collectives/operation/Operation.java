package org.cartostream.collectives.operation;

import static org.cartostream.collectives.operation.Algorithm.DOUBLING;
import static org.cartostream.collectives.operation.Algorithm.FLAT;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The collective operations, each with its algorithms. */
public enum Operation {
  BARRIER(FLAT, DOUBLING),
  BROADCAST(FLAT),
  ALL_GATHER(FLAT, DOUBLING),
  ALL_TO_ALL(FLAT);

  @SuppressWarnings("ImmutableEnumChecker") // The set never changes.
  private final Set<Algorithm> algorithms;

  Operation(Algorithm... algorithms) {
    this.algorithms = EnumSet.copyOf(Arrays.asList(algorithms));
  }

  /** Returns the algorithms by which this operation can be done, without {@link Algorithm#AUTO}. */
  public Set<Algorithm> algorithms() {
    return EnumSet.copyOf(algorithms);
  }

  /**
   * Checks that this operation can be done by an algorithm.
   *
   * @throws IllegalArgumentException if it cannot, with the algorithms that can
   */
  public void check(Algorithm algorithm) {
    if (algorithm != Algorithm.AUTO && !algorithms.contains(algorithm)) {
      throw new IllegalArgumentException(
          this
              + " cannot be done by '"
              + algorithm
              + "'; it can by "
              + algorithms.stream().map(Algorithm::toString).collect(Collectors.joining(", ")));
    }
  }

  /** Returns the name in the form {@code all-gather}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
