package org.cartostream.gateway;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.cartostream.broker.Outcome;
import org.cartostream.slam.geometry.Pose;

/** Owns what is measured along a run: latencies, the distance driven, the newest Neff. */
final class Journey {

  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private final Histogram serviceNanos = new Histogram(LONGEST_NANOS, DIGITS);
  private final Histogram roundTripNanos = new Histogram(LONGEST_NANOS, DIGITS);
  private Pose last;
  private double distanceMetres;
  private double effectiveSampleSize = Double.NaN;

  void answered(long tookNanos) {
    record(roundTripNanos, tookNanos);
  }

  void processed(Outcome.Processed outcome) {
    record(serviceNanos, outcome.serviceNanos());
    effectiveSampleSize = outcome.effectiveSampleSize();
    if (last != null) {
      distanceMetres += last.distance(outcome.pose());
    }
    last = outcome.pose();
  }

  /** A histogram refuses what lies outside it; a service's clock may say anything. */
  private static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.max(0, Math.min(nanos, LONGEST_NANOS)));
  }

  Histogram serviceNanos() {
    return serviceNanos;
  }

  Histogram roundTripNanos() {
    return roundTripNanos;
  }

  double distanceMetres() {
    return distanceMetres;
  }

  double effectiveSampleSize() {
    return effectiveSampleSize;
  }
}
