package org.cartostream.slam.match;

/**
 * The poses that a hill climb has scored lately. None of them is better than where the climb
 * stands, or it would stand there: so none need be scored again.
 *
 * <p>Owns a table in which a later pose may take an earlier one's place. What is forgotten so is
 * scored once more; the climb is the same.
 */
final class EvaluatedPoses {

  private static final int BITS = 8;

  private final int[] x = new int[1 << BITS];
  private final int[] y = new int[1 << BITS];
  private final double[] theta = new double[1 << BITS];
  private final int[] climbs = new int[1 << BITS];

  /** Entries of other climbs do not count. */
  private int climb;

  /** Forgets all poses, because the function that is climbed has changed. */
  void clear() {
    climb++;
  }

  /**
   * Adds a pose.
   *
   * @return false if it is there already
   */
  boolean add(int atX, int atY, double heading) {
    int mixed = (atX * 31 + atY) * 31 + Double.hashCode(heading);
    int at = mixed * 0x9e3779b9 >>> Integer.SIZE - BITS;
    if (climbs[at] == climb && x[at] == atX && y[at] == atY && theta[at] == heading) {
      return false;
    }
    climbs[at] = climb;
    x[at] = atX;
    y[at] = atY;
    theta[at] = heading;
    return true;
  }
}
