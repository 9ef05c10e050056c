package org.cartostream.slam.match;

/**
 * Beam ends turned to one heading, in fixed-point map units: shifting them is then an integer
 * addition. Reused from pose to pose.
 */
final class RotatedBeams {

  private static final double BIAS = 1 << 26;

  int[] x = new int[0];
  int[] y = new int[0];
  int count;

  /** Scratch space, no part of a checkpoint. */
  private transient double[] biasedX;

  private transient double[] biasedY;

  /** The beams turned last, and by how many radians. */
  private Beams turned;

  private double by;

  /** Turns {@code beams} by {@code theta} radians, unless they are turned so already. */
  @SuppressWarnings("ReferenceEquality") // Comparing the beams would cost as much as turning them.
  void turn(Beams beams, double theta) {
    if (turned == beams && by == theta) {
      return;
    }
    turned = beams;
    by = theta;
    if (x.length < beams.count()) {
      x = new int[beams.count()];
      y = new int[beams.count()];
    }
    if (biasedX == null || biasedX.length < beams.count()) {
      biasedX = new double[beams.count()];
      biasedY = new double[beams.count()];
    }
    count = beams.count();
    double cos = StrictMath.cos(theta);
    double sin = StrictMath.sin(theta);
    double[] fromX = beams.x();
    double[] fromY = beams.y();
    // A cast rounds towards zero; the bias makes every value positive, so that the cast floors. The
    // casts are in a loop of their own: only loops without casts are compiled to vector
    // instructions.
    for (int i = 0; i < count; i++) {
      biasedX[i] = cos * fromX[i] - sin * fromY[i] + BIAS;
      biasedY[i] = sin * fromX[i] + cos * fromY[i] + BIAS;
    }
    for (int i = 0; i < count; i++) {
      x[i] = (int) biasedX[i] - (int) BIAS;
      y[i] = (int) biasedY[i] - (int) BIAS;
    }
  }
}
