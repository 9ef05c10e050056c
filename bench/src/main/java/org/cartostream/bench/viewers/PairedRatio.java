package org.cartostream.bench.viewers;

import java.util.List;

/**
 * Geometric mean of the ratios of paired measurements, and its upper 95 % confidence bound by
 * Student's t of the logarithms. The two of a pair were measured one after the other.
 *
 * @param mean with over without
 * @param bound at most so much, at a confidence of 95 %
 */
record PairedRatio(double mean, double bound) {

  /** The one-sided 95 % quantiles of Student's t, from one degree of freedom on. */
  private static final double[] STUDENT = {
    6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771,
    1.761, 1.753, 1.746, 1.740, 1.734, 1.729
  };

  static final int MOST_PAIRS = STUDENT.length + 1;

  /** A cost with something, and one without. */
  record Pair(double with, double without) {

    double ratio() {
      return with / without;
    }
  }

  /** Of two pairs, to {@link #MOST_PAIRS}. */
  static PairedRatio of(List<Pair> pairs) {
    double[] logs = pairs.stream().mapToDouble(each -> StrictMath.log(each.ratio())).toArray();
    double mean = 0;
    for (double log : logs) {
      mean += log / logs.length;
    }
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    int freedom = logs.length - 1;
    double error = StrictMath.sqrt(squares / freedom / logs.length);
    return new PairedRatio(
        StrictMath.exp(mean), StrictMath.exp(mean + STUDENT[freedom - 1] * error));
  }
}
