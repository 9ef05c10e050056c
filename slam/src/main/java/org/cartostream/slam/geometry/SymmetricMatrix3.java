package org.cartostream.slam.geometry;

/**
 * A symmetric 3 × 3 matrix over (x, y, heading): an information matrix or a covariance.
 *
 * @param xx entry in row x, column x; the others are named likewise, with t for the heading
 */
public record SymmetricMatrix3(double xx, double xy, double xt, double yy, double yt, double tt) {

  public static final SymmetricMatrix3 ZERO = diagonal(0, 0, 0);

  public static SymmetricMatrix3 diagonal(double xx, double yy, double tt) {
    return new SymmetricMatrix3(xx, 0, 0, yy, 0, tt);
  }

  /** Returns v vᵀ for v = (x, y, t). */
  public static SymmetricMatrix3 square(double x, double y, double t) {
    return new SymmetricMatrix3(x * x, x * y, x * t, y * y, y * t, t * t);
  }

  public SymmetricMatrix3 plus(SymmetricMatrix3 other) {
    return new SymmetricMatrix3(
        xx + other.xx, xy + other.xy, xt + other.xt, yy + other.yy, yt + other.yt, tt + other.tt);
  }

  public SymmetricMatrix3 times(double factor) {
    return new SymmetricMatrix3(
        factor * xx, factor * xy, factor * xt, factor * yy, factor * yt, factor * tt);
  }

  /**
   * Returns R M Rᵀ, this covariance in another frame: R is the rotation by {@code radians}, the
   * heading of this covariance's frame in the other.
   */
  public SymmetricMatrix3 turned(double radians) {
    double cos = StrictMath.cos(radians);
    double sin = StrictMath.sin(radians);
    double across = 2 * sin * cos * xy;
    return new SymmetricMatrix3(
        cos * cos * xx - across + sin * sin * yy,
        sin * cos * (xx - yy) + (cos * cos - sin * sin) * xy,
        cos * xt - sin * yt,
        sin * sin * xx + across + cos * cos * yy,
        sin * xt + cos * yt,
        tt);
  }

  /**
   * Returns the covariance of another pose on the same rigid body, if this is the covariance of a
   * pose: an error of the heading moves the other pose the more, the farther away it is.
   *
   * @param x metres from this pose to the other, along the axes
   * @param y likewise
   */
  public SymmetricMatrix3 carried(double x, double y) {
    return new SymmetricMatrix3(
        xx - 2 * y * xt + y * y * tt,
        xy + x * xt - y * yt - x * y * tt,
        xt - y * tt,
        yy + 2 * x * yt + x * x * tt,
        yt + x * tt,
        tt);
  }

  /** Returns this matrix times the column (x, y, t), as three numbers. */
  public double[] times(double x, double y, double t) {
    return new double[] {
      xx * x + xy * y + xt * t, xy * x + yy * y + yt * t, xt * x + yt * y + tt * t
    };
  }

  /** Returns vᵀ M v for v = (x, y, t). */
  public double quadratic(double x, double y, double t) {
    return xx * x * x + yy * y * y + tt * t * t + 2 * (xy * x * y + xt * x * t + yt * y * t);
  }

  /**
   * Returns the information about the sum of two independent variables whose information matrices
   * are this one and {@code other}: the inverse of the sum of the inverses. This matrix may be
   * singular, the other not.
   */
  public SymmetricMatrix3 inSeriesWith(SymmetricMatrix3 other) {
    // (A⁻¹ + B⁻¹)⁻¹ = B - B (A + B)⁻¹ B
    Cholesky sum = plus(other).cholesky();
    double[] x = other.times(sum.solve(other.xx, other.xy, other.xt));
    double[] y = other.times(sum.solve(other.xy, other.yy, other.yt));
    double[] t = other.times(sum.solve(other.xt, other.yt, other.tt));
    return new SymmetricMatrix3(
        other.xx - x[0],
        other.xy - y[0],
        other.xt - t[0],
        other.yy - y[1],
        other.yt - t[1],
        other.tt - t[2]);
  }

  private double[] times(double[] column) {
    return times(column[0], column[1], column[2]);
  }

  /**
   * @throws ArithmeticException if the matrix is not positive definite
   */
  public SymmetricMatrix3 inverse() {
    Cholesky root = cholesky();
    double[] x = root.solve(1, 0, 0);
    double[] y = root.solve(0, 1, 0);
    double[] t = root.solve(0, 0, 1);
    return new SymmetricMatrix3(x[0], x[1], x[2], y[1], y[2], t[2]);
  }

  public double determinant() {
    return xx * (yy * tt - yt * yt) - xy * (xy * tt - yt * xt) + xt * (xy * yt - yy * xt);
  }

  /**
   * Returns a nearby matrix without negative curvature: negative diagonal entries become 0, and the
   * others are reduced until the determinant is not negative. Meant for a numerical Hessian, whose
   * negative curvature is mostly noise.
   */
  public SymmetricMatrix3 withoutNegativeCurvature() {
    double x = Math.max(0, xx);
    double y = Math.max(0, yy);
    double t = Math.max(0, tt);
    double xyMost = 0.95 * StrictMath.sqrt(x * y);
    double xtMost = 0.95 * StrictMath.sqrt(x * t);
    double ytMost = 0.95 * StrictMath.sqrt(y * t);
    SymmetricMatrix3 result =
        new SymmetricMatrix3(x, clamp(xy, xyMost), clamp(xt, xtMost), y, clamp(yt, ytMost), t);
    if (result.determinant() < 0) {
      result = new SymmetricMatrix3(x, 0.6 * result.xy, 0.6 * result.xt, y, 0.6 * result.yt, t);
    }
    return result.determinant() < 0 ? new SymmetricMatrix3(x, 0, 0, y, 0, t) : result;
  }

  private static double clamp(double value, double max) {
    return Math.max(-max, Math.min(max, value));
  }

  /** The lower triangle L of the Cholesky decomposition M = L Lᵀ of a positive definite matrix. */
  public record Cholesky(double xx, double yx, double yy, double tx, double ty, double tt) {

    /** Solves M v = (x, y, t). */
    public double[] solve(double x, double y, double t) {
      double a = x / xx;
      double b = (y - yx * a) / yy;
      double c = (t - tx * a - ty * b) / tt;
      return solveTransposed(a, b, c);
    }

    /**
     * Solves Lᵀ v = (x, y, t). If M is an information matrix and (x, y, t) are independent standard
     * normal numbers, v is drawn from the Gaussian with covariance M⁻¹.
     */
    public double[] solveTransposed(double x, double y, double t) {
      double c = t / tt;
      double b = (y - ty * c) / yy;
      double a = (x - yx * b - tx * c) / xx;
      return new double[] {a, b, c};
    }
  }

  /**
   * @throws ArithmeticException if the matrix is not positive definite
   */
  public Cholesky cholesky() {
    double a = StrictMath.sqrt(xx);
    double b = xy / a;
    double c = StrictMath.sqrt(yy - b * b);
    double d = xt / a;
    double e = (yt - d * b) / c;
    double f = StrictMath.sqrt(tt - d * d - e * e);
    if (!(a > 0 && c > 0 && f > 0)) {
      throw new ArithmeticException("not positive definite: " + this);
    }
    return new Cholesky(a, b, c, d, e, f);
  }
}
