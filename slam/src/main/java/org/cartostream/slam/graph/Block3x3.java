package org.cartostream.slam.graph;

/** Arithmetic of 3 × 3 matrices that are parts of a large one: nine numbers each, row by row. */
final class Block3x3 {

  static final int SIDE = 3;

  private Block3x3() {}

  /** Adds matrix {@code a} to {@code into}, in place. */
  static void add(double[] into, double[] a) {
    for (int k = 0; k < into.length; k++) {
      into[k] += a[k];
    }
  }

  /** Subtracts the product A B from {@code from}, in place. */
  static void subtractProduct(double[] from, double[] a, double[] b) {
    double[] product = product(a, b);
    for (int k = 0; k < from.length; k++) {
      from[k] -= product[k];
    }
  }

  /** Returns the product A B. */
  static double[] product(double[] a, double[] b) {
    double[] product = new double[SIDE * SIDE];
    for (int row = 0; row < SIDE; row++) {
      for (int column = 0; column < SIDE; column++) {
        for (int k = 0; k < SIDE; k++) {
          product[SIDE * row + column] += a[SIDE * row + k] * b[SIDE * k + column];
        }
      }
    }
    return product;
  }

  /** Returns the transpose Aᵀ. */
  static double[] transposed(double[] a) {
    return new double[] {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
  }

  /** Returns the inverse A⁻¹. */
  static double[] inverse(double[] a) {
    double xx = a[4] * a[8] - a[5] * a[7];
    double xy = a[5] * a[6] - a[3] * a[8];
    double xt = a[3] * a[7] - a[4] * a[6];
    double one = 1 / (a[0] * xx + a[1] * xy + a[2] * xt);
    return new double[] {
      one * xx,
      one * (a[2] * a[7] - a[1] * a[8]),
      one * (a[1] * a[5] - a[2] * a[4]),
      one * xy,
      one * (a[0] * a[8] - a[2] * a[6]),
      one * (a[2] * a[3] - a[0] * a[5]),
      one * xt,
      one * (a[1] * a[6] - a[0] * a[7]),
      one * (a[0] * a[4] - a[1] * a[3])
    };
  }

  /** Adds {@code share} A v to w, where v and w are the parts of two columns at blocks i and j. */
  static void addTimes(double share, double[] a, double[] v, int i, double[] w, int j) {
    for (int row = 0; row < SIDE; row++) {
      double sum = 0;
      for (int k = 0; k < SIDE; k++) {
        sum += a[SIDE * row + k] * v[SIDE * i + k];
      }
      w[SIDE * j + row] += share * sum;
    }
  }
}
