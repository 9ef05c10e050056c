package org.cartostream.topology.assignment;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to assign the particles of a resampling to tasks; after each size it prints how
 * many answers were proved to be the best, and how far the others may be from it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class AssignmentBenchmark {

  private static final int CASES = 32;
  private static final long MIN_MAP_BYTES = 900_000;
  private static final long MAX_MAP_BYTES = 1_100_000;

  /** Particles on tasks. */
  @Param({"100 on 4", "100 on 8", "1000 on 20", "10000 on 64"})
  public String size;

  /** How much the logarithms of the weights differ: the larger, the fewer and larger families. */
  @Param({"1", "3"})
  public double spread;

  private final int[][] parents = new int[CASES][];
  private final int[][] owners = new int[CASES][];
  private final long[][] mapBytes = new long[CASES][];
  private int[] places;
  private int next;

  @Setup
  public void draw() {
    String[] words = size.split(" on ");
    int particles = Integer.parseInt(words[0]);
    places = Assignment.places(particles, Integer.parseInt(words[1]));
    Random random = new Random(17);
    for (int i = 0; i < CASES; i++) {
      parents[i] = resampled(random, particles, spread);
      owners[i] = shuffled(random, Assignment.initial(particles, places.length));
      mapBytes[i] = random.longs(particles, MIN_MAP_BYTES, MAX_MAP_BYTES).toArray();
    }
  }

  /** Systematic resampling of weights whose logarithms are normally distributed. */
  private static int[] resampled(Random random, int particles, double spread) {
    double[] weights = new double[particles];
    Arrays.setAll(weights, i -> Math.exp(spread * random.nextGaussian()));
    double step = Arrays.stream(weights).sum() / particles;
    int[] parents = new int[particles];
    int parent = 0;
    double sum = weights[0];
    for (int child = 0; child < particles; child++) {
      while (sum < (child + 0.5) * step && parent < particles - 1) {
        sum += weights[++parent];
      }
      parents[child] = parent;
    }
    return parents;
  }

  private static int[] shuffled(Random random, int[] numbers) {
    for (int i = numbers.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int number = numbers[i];
      numbers[i] = numbers[other];
      numbers[other] = number;
    }
    return numbers;
  }

  /** Milliseconds per resampling. */
  @Benchmark
  public int[] assign() {
    next = (next + 1) % CASES;
    return solve(next).owners();
  }

  private Assignment solve(int which) {
    int[] before = owners[which];
    long[] bytes = mapBytes[which];
    return Assignment.of(
        parents[which], (parent, task) -> before[parent] == task ? 0 : bytes[parent], places);
  }

  @TearDown(Level.Trial)
  public void sayHowGood() {
    int proved = 0;
    double worst = 0;
    double sum = 0;
    for (int i = 0; i < CASES; i++) {
      Assignment assignment = solve(i);
      double gap = (double) assignment.bytes() / Math.max(1, assignment.minBytes()) - 1;
      proved += assignment.isLeast() ? 1 : 0;
      worst = Math.max(worst, gap);
      sum += gap;
    }
    System.out.printf(
        "%n%s: %d of %d are proved to be the best; all move at most %.1f %% more than the bound from"
            + " below on average, %.1f %% at worst%n",
        size, proved, CASES, 100 * sum / CASES, 100 * worst);
  }
}
