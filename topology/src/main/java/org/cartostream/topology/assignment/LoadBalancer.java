package org.cartostream.topology.assignment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Load balancing of a run's tasks: the number of particles of each task, decided from its time per
 * particle. A slower or busier machine gets fewer particles, so that all tasks finish at the same
 * time.
 *
 * <p>Owns the latest times per particle of each task. The numbers change only in {@link #places},
 * which is called at a resampling, and only if the slowest task takes longer than the mean by more
 * than the tolerance, since moving particles has a cost and times vary by chance. The same recorded
 * times always give the same numbers.
 */
public final class LoadBalancer {

  /**
   * Number of latest key frames whose median time counts, so that a single pause does not look like
   * a slow machine.
   */
  private static final int REMEMBERED = 15;

  /** Minimum number of recorded times of each task; with fewer, its speed counts as unknown. */
  private static final int MIN = 5;

  private final double tolerance;
  private final List<Deque<Double>> nanosPerParticle = new ArrayList<>();

  /**
   * Numbers of particles that the tasks got by the latest measured speeds, whatever the number of
   * all particles was then.
   */
  private int[] shares;

  private int[] places;

  /**
   * @param tolerance excess of the slowest task's time over the mean that is tolerated, as a share
   *     of the mean
   * @param places number of particles of each task at first
   */
  public LoadBalancer(double tolerance, int[] places) {
    this.tolerance = tolerance;
    this.places = places.clone();
    this.shares = this.places;
    for (int task = 0; task < places.length; task++) {
      nanosPerParticle.add(new ArrayDeque<>());
    }
  }

  /**
   * Records the time that a task computed for its particles; ignored if either is 0 or less, which
   * means unknown.
   */
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
   * Returns the number of particles that each task is to have from now on; at least one each, if
   * there are enough.
   *
   * @param particles number of all particles; if it has changed, they are divided in the same
   *     proportion as before
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
   * Divides a total in proportion to the tasks' speeds; a particle that rounding leaves goes to the
   * task that would finish it first.
   *
   * @param each time per particle of each task, in any unit
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
