package org.cartostream.collectives.algorithm;

import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;

/**
 * The tree along which members forward a payload. Its nodes are numbered by place: place 0 is the
 * payload's origin, place p the member whose rank is the origin's plus p, modulo the group's size.
 */
final class BroadcastTree {

  private static final int[] NOBODY = {};

  private BroadcastTree() {}

  /**
   * Returns the ranks to which the member of {@code rank} forwards the payload of {@code origin}.
   */
  static int[] children(Algorithm by, int origin, int rank, int size) {
    int[] places = childPlaces(by, Math.floorMod(rank - origin, size), size);
    for (int i = 0; i < places.length; i++) {
      places[i] = (places[i] + origin) % size;
    }
    return places;
  }

  /**
   * Returns the rank from which the member of {@code rank}, which is not the origin, gets the
   * payload.
   */
  static int parent(Algorithm by, int origin, int rank, int size) {
    int place = Math.floorMod(rank - origin, size);
    return (parentPlace(by, place, size) + origin) % size;
  }

  private static int[] childPlaces(Algorithm by, int place, int size) {
    return switch (by) {
      case FLAT -> place == 0 ? IntStream.range(1, size).toArray() : NOBODY;
      case TREE ->
          IntStream.of(2 * place + 1, 2 * place + 2).filter(child -> child < size).toArray();
      case RING -> place + 1 < size ? new int[] {place + 1} : NOBODY;
      case TWO_RINGS -> twoRings(place, size);
      case AUTO, DOUBLING -> throw new IllegalArgumentException(by + " is no way to pass on");
    };
  }

  /**
   * Returns the places after a place in the two rings, 0, 1, 2 ... size / 2 and 0, size - 1, size -
   * 2 ...
   */
  private static int[] twoRings(int place, int size) {
    int top = size / 2;
    if (place == 0) {
      return IntStream.of(1, size - 1).filter(child -> child % size > 0).distinct().toArray();
    }
    int next = place <= top ? place + 1 : place - 1;
    boolean end = place <= top ? next > top : next <= top;
    return end ? NOBODY : new int[] {next};
  }

  private static int parentPlace(Algorithm by, int place, int size) {
    return switch (by) {
      case FLAT -> 0;
      case TREE -> (place - 1) / 2;
      case RING -> place - 1;
      case TWO_RINGS -> place <= size / 2 ? place - 1 : (place + 1) % size;
      case AUTO, DOUBLING -> throw new IllegalArgumentException(by + " is no way to pass on");
    };
  }
}
