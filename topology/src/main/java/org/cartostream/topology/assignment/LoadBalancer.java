package org.cartostream.topology.assignment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Load balancing of a run's tasks: decides the number of particles of each task from the time that
 * it takes for one. A slower or busier machine gets fewer, so that all finish at the same time.
 *
 * <p>Owns the latest times per particle of each task. Numbers change only when asked for, which is
 * at a resampling, and only if the slowest task takes longer than the mean by more than the
 * tolerance: to move particles costs something, and times vary by themselves. A pure function of
 * the times that it was given: the same times give the same numbers.
 */
public final class LoadBalancer {

  /** Key frames of which the median counts: a pause of one is no slow machine. */
  private static final int REMEMBERED = 15;

  /** Number of recorded times of each task below which its speed is only a guess. */
  private static final int MIN = 5;

  private final double tolerance;
  private final List<Deque<Double>> nanosPerParticle = new ArrayList<>();

  /**
   * Shares that each task was given when the times were looked at last, of as many as there were.
   */
  private int[] shares;

  private int[] places;

  /**
   * @param tolerance by which share of the mean the slowest task may be above it
   * @param places how many particles each task has at first
   */
  public LoadBalancer(double tolerance, int[] places) {
    this.tolerance = tolerance;
    this.places = places.clone();
    this.shares = this.places;
    for (int task = 0; task < places.length; task++) {
      nanosPerParticle.add(new ArrayDeque<>());
    }
  }

  /** A task computed so long for so many particles; what is not known does not count. */
  public void record(int task, long computeNanos, int particles) {
    if (computeNanos <= 0 || particles <= 0) {
      return;
    }
    Deque<Double> times = nanosPerParticle.get(task);
    times.add((double) computeNanos / particles);
    if (times.size() > REMEMBERED) {
      times.remove();
    }
  }

  /**
   * Returns how many of the particles each task is to have from now on; every task at least one, if
   * there are enough.
   *
   * @param particles how many there are: more or fewer are shared out in the same proportion
   */
  public int[] places(int particles) {
    if (particles != Arrays.stream(places).sum()) {
      places =
          inProportion(
              Arrays.stream(shares).mapToDouble(share -> 1.0 / share).toArray(), particles);
    }
    boolean known = nanosPerParticle.stream().allMatch(times -> times.size() >= MIN);
    if (known && Arrays.stream(places).min().orElse(0) > 0) {
      double[] each = nanosPerParticle.stream().mapToDouble(LoadBalancer::median).toArray();
      if (slowestOverMean(each) > 1 + tolerance) {
        places = inProportion(each, particles);
        shares = places;
      }
    }
    return places.clone();
  }

  private static double median(Deque<Double> times) {
    List<Double> sorted = times.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private double slowestOverMean(double[] each) {
    double[] times =
        IntStream.range(0, each.length).mapToDouble(task -> each[task] * places[task]).toArray();
    return Arrays.stream(times).max().orElse(0) / Arrays.stream(times).average().orElse(1);
  }

  /**
   * Divides a total in proportion to the speeds; what rounding leaves goes to whoever is done with
   * it first.
   */
  private static int[] inProportion(double[] each, int total) {
    double speeds = Arrays.stream(each).map(nanos -> 1 / nanos).sum();
    int[] next = new int[each.length];
    for (int task = 0; task < each.length; task++) {
      next[task] = Math.max(1, (int) (total / each[task] / speeds));
    }
    while (Arrays.stream(next).sum() > total) {
      next[largest(next)]--;
    }
    while (Arrays.stream(next).sum() < total) {
      next[firstDone(next, each)]++;
    }
    return next;
  }

  private static int largest(int[] next) {
    return IntStream.range(0, next.length)
        .boxed()
        .max(Comparator.comparingInt(task -> next[task]))
        .orElseThrow();
  }

  private static int firstDone(int[] next, double[] each) {
    return IntStream.range(0, next.length)
        .boxed()
        .min(Comparator.comparingDouble(task -> (next[task] + 1) * each[task]))
        .orElseThrow();
  }
}
