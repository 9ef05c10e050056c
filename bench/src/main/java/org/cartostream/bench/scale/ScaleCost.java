package org.cartostream.bench.scale;

import java.util.List;

/**
 * Cost of a case; times are milliseconds per reading.
 *
 * @param of the case
 * @param modelled false if it was measured on this machine
 * @param serialMillis of one thread, for the same readings
 * @param millis of the case
 * @param computeMillis of each task
 * @param slowestMillis of the task that computes longest
 * @param decideMillis in which it is decided what becomes of the particles
 * @param restMillis in which the mean task does not compute: all that messages on their way,
 *     deciding and slower tasks cost in the end, as far as tasks have nothing else to do meanwhile
 * @param idleMillis in which no task computes, median; not modelled
 * @param collectMillis of garbage collection; not modelled
 * @param resamplings of all readings
 * @param bytesMoved of all readings
 */
record ScaleCost(
    ScaleCase of,
    boolean modelled,
    double serialMillis,
    double millis,
    List<Double> computeMillis,
    double slowestMillis,
    double decideMillis,
    double restMillis,
    Double idleMillis,
    Double collectMillis,
    long resamplings,
    long bytesMoved) {

  double speedup() {
    return serialMillis / millis;
  }

  double meanComputeMillis() {
    return computeMillis.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  /**
   * Time that the slowest task computes longer, milliseconds; the others need not wait for it as
   * long.
   */
  double stragglerMillis() {
    return slowestMillis - meanComputeMillis();
  }

  double slowestOverMean() {
    return meanComputeMillis() == 0 ? 1 : slowestMillis / meanComputeMillis();
  }

  double kilobytesPerResampling() {
    return resamplings == 0 ? 0 : bytesMoved / 1000.0 / resamplings;
  }
}
