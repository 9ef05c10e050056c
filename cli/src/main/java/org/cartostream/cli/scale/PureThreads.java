package org.cartostream.cli.scale;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * How much faster threads are that do nothing but compute, and have nothing to say to each other:
 * the most that tasks can reach on this machine at this moment.
 */
public final class PureThreads {

  private static final int ROUNDS = 5;
  private static final long STEPS = 40_000_000;
  private static final long MULTIPLIER = 6364136223846793005L;

  private PureThreads() {}

  /**
   * The time of one thread over that of {@code count} threads for the same work, median of some
   * rounds in turns.
   */
  public static double speedup(int count) throws InterruptedException {
    nanos(count);
    double[] ratios = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      double alone = nanos(1);
      ratios[round] = alone / nanos(count);
    }
    Arrays.sort(ratios);
    return ratios[ROUNDS / 2];
  }

  private static long nanos(int count) throws InterruptedException {
    long[] results = new long[count];
    Thread[] threads = new Thread[count];
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads[i] = new Thread(() -> results[number] = steps(STEPS / count, number), "pure-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long nanos = System.nanoTime() - start;
    // The results are used, so that no compiler may leave the work out.
    return nanos + (LongStream.of(results).sum() == 0 ? 1 : 0);
  }

  /** Numbers that depend on each other, and on nothing in memory. */
  private static long steps(long count, long seed) {
    long value = seed + 1;
    for (long i = 0; i < count; i++) {
      value = value * MULTIPLIER + (value >>> 33) + i;
    }
    return value;
  }
}
