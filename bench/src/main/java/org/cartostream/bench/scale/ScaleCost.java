package org.cartostream.bench.scale;

import java.util.List;

/**
 * Cost of a case; times are milliseconds per reading.
 *
 * @param of the case
 * @param modelled false if the cost was measured on this machine
 * @param busy true if other processes used the machine while it was measured, or while that was
 *     measured which the model is fed with
 * @param serialMillis time of one thread, for the same readings
 * @param millis time of the case
 * @param computeMillis computing time of each task
 * @param slowestMillis computing time of the slowest task
 * @param decideMillis time of deciding the resampling
 * @param restMillis time in which the mean task does not compute: all that messages on their way,
 *     deciding and slower tasks cost in the end, as far as tasks have nothing else to do meanwhile
 * @param idleMillis time in which no task computes, median; null if modelled
 * @param collectMillis time of garbage collection; null if modelled
 * @param resamplings number of resamplings in all readings
 * @param bytesMoved bytes of particles that moved in all readings
 */
record ScaleCost(
    ScaleCase of,
    boolean modelled,
    boolean busy,
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

  /** Returns what the machine was, for people. */
  String machine() {
    return busy ? "busy" : "idle";
  }

  double speedup() {
    return serialMillis / millis;
  }

  double meanComputeMillis() {
    return computeMillis.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  /**
   * Returns the time by which the slowest task computes longer than the mean, milliseconds; the
   * others need not wait for it as long.
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
