package org.cartostream.collectives.operation;

import static org.cartostream.collectives.operation.Algorithm.DOUBLING;
import static org.cartostream.collectives.operation.Algorithm.FLAT;
import static org.cartostream.collectives.operation.Algorithm.RING;
import static org.cartostream.collectives.operation.Algorithm.TREE;
import static org.cartostream.collectives.operation.Algorithm.TWO_RINGS;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The collective operations, and the algorithms of each. */
public enum Operation {
  BARRIER(FLAT, DOUBLING),
  BROADCAST(FLAT, TREE, RING, TWO_RINGS),
  SCATTER(FLAT),
  GATHER(FLAT),
  ALL_GATHER(FLAT, TREE, RING, TWO_RINGS, DOUBLING),
  REDUCE(FLAT, RING),
  ALL_REDUCE(FLAT, RING, DOUBLING),
  ALL_TO_ALL(FLAT);

  @SuppressWarnings("ImmutableEnumChecker") // Nobody changes it.
  private final Set<Algorithm> algorithms;

  Operation(Algorithm... algorithms) {
    this.algorithms = EnumSet.copyOf(Arrays.asList(algorithms));
  }

  /** The algorithms that can do it, without {@link Algorithm#AUTO}. */
  public Set<Algorithm> algorithms() {
    return EnumSet.copyOf(algorithms);
  }

  /** Refuses an algorithm that cannot do it. */
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

  /** Returns the name as in {@code all-gather}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
