package org.cartostream.web.state;

import java.util.List;

/**
 * Ellipse around a pose that holds the true position with a probability of 95 %.
 *
 * @param along its longer half axis, metres; 0 if nobody knows
 * @param across the shorter one
 * @param radians direction of the longer one, counter-clockwise from the x axis
 */
public record ErrorEllipse(double along, double across, double radians) {

  /** Squared distance, in standard deviations, within which 95 % of a Gaussian in the plane lie. */
  private static final double HOLDS = -2 * StrictMath.log(0.05);

  /**
   * The ellipse of a covariance.
   *
   * @param xx square metres
   * @param xy covariance of x and y
   */
  public static ErrorEllipse of(double xx, double xy, double yy) {
    double mean = (xx + yy) / 2;
    double half = (xx - yy) / 2;
    double apart = StrictMath.hypot(half, xy);
    return new ErrorEllipse(
        StrictMath.sqrt(HOLDS * (mean + apart)),
        StrictMath.sqrt(HOLDS * Math.max(0, mean - apart)),
        StrictMath.atan2(xy, half) / 2);
  }

  /** Its three numbers for a page, rounded to thousandths. */
  public List<Double> rounded() {
    return List.of(
        RunSnapshot.rounded(along), RunSnapshot.rounded(across), RunSnapshot.rounded(radians));
  }
}
