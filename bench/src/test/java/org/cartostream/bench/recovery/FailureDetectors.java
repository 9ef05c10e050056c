package org.cartostream.bench.recovery;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Two ways to tell from ticks that their sender is dead: a fixed limit on the time since the latest
 * one, and the phi accrual detector, which derives the limit from the mean and the deviation of the
 * latest intervals, as if these were normally distributed (Hayashibara, Défago, Yared, Katayama
 * 2004, "The phi accrual failure detector").
 *
 * <p>An interval that is longer than the limit is a false alarm. A death is noticed by the limit
 * after the latest tick, so of two detectors with equally many false alarms that with the smaller
 * mean limit is faster, by the difference.
 */
final class FailureDetectors {

  private FailureDetectors() {}

  /** Intervals of one sender's ticks, seconds, each with what the detector knew before it. */
  private record Known(double interval, double mean, double deviation) {}

  /** The ticks of all senders, as phi accrual with a window sees them. */
  record Ticks(Known[] known) {

    /**
     * @param senders the intervals of each, seconds
     * @param window so many intervals are remembered, and passed before the first is judged
     */
    static Ticks of(double[][] senders, int window) {
      return new Ticks(
          Arrays.stream(senders)
              .flatMap(intervals -> Arrays.stream(known(intervals, window)))
              .toArray(Known[]::new));
    }

    private static Known[] known(double[] intervals, int window) {
      Known[] known = new Known[Math.max(0, intervals.length - window)];
      Deque<Double> latest = new ArrayDeque<>();
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < intervals.length; i++) {
        double interval = intervals[i];
        if (i >= window) {
          double mean = sum / window;
          double variance = Math.max(0, squares / window - mean * mean);
          known[i - window] = new Known(interval, mean, Math.sqrt(variance));
          double oldest = latest.remove();
          sum -= oldest;
          squares -= oldest * oldest;
        }
        latest.add(interval);
        sum += interval;
        squares += interval * interval;
      }
      return known;
    }

    /** How many intervals are judged. */
    int size() {
      return known.length;
    }

    /** The smallest fixed limit with so many false alarms at most, seconds. */
    double fixedLimit(int falseAlarms) {
      double[] intervals = Arrays.stream(known).mapToDouble(Known::interval).sorted().toArray();
      return intervals[intervals.length - 1 - falseAlarms];
    }

    /** The mean limit of phi accrual at the smallest threshold with so many at most, seconds. */
    double meanPhiLimit(int falseAlarms) {
      double deviations = deviations(falseAlarms);
      return Arrays.stream(known)
          .mapToDouble(each -> each.mean() + deviations * each.deviation())
          .average()
          .orElseThrow();
    }

    /** That threshold, as deviations from the mean: phi is -log10 of the normal tail behind it. */
    double deviations(int falseAlarms) {
      double[] deviations =
          Arrays.stream(known)
              .mapToDouble(each -> (each.interval() - each.mean()) / each.deviation())
              .sorted()
              .toArray();
      return Math.max(0, deviations[deviations.length - 1 - falseAlarms]);
    }
  }
}
