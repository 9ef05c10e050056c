package org.cartostream.slam.match;

/**
 * The poses that a hill climb has scored lately. None of them is better than the climb's present
 * pose, so none need be scored again.
 *
 * <p>Owns a hash table in which a later pose may overwrite an earlier one. An overwritten pose is
 * scored once more; the climb's result is the same.
 */
final class EvaluatedPoses {

  private static final int BITS = 8;

  private final int[] x = new int[1 << BITS];
  private final int[] y = new int[1 << BITS];
  private final double[] theta = new double[1 << BITS];
  private final int[] climbs = new int[1 << BITS];

  /** Number of the present climb; entries of other climbs are ignored. */
  private int climb;

  /** Forgets all poses, because the function that is climbed has changed. */
  void clear() {
    climb++;
  }

  /**
   * Adds a pose.
   *
   * @return false if the pose was scored before
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
