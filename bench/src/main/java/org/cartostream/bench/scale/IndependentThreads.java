package org.cartostream.bench.scale;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Measurement of the speedup of threads that only compute and exchange no messages: the most that
 * tasks can reach on this machine at this moment.
 */
final class IndependentThreads {

  private static final int ROUNDS = 5;
  private static final long STEPS = 40_000_000;
  private static final long MULTIPLIER = 6364136223846793005L;

  private IndependentThreads() {}

  /** Measures threads that touch no memory; returns the median speedup of some rounds. */
  public static double numbers(int count) throws InterruptedException {
    LongAdder results = new LongAdder(); // Kept, so that no compiler leaves the work out.
    IntConsumer piece = number -> results.add(steps(STEPS / count, number));
    speedup(count, piece);
    double[] ratios = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      ratios[round] = speedup(count, piece);
    }
    Arrays.sort(ratios);
    return ratios[ROUNDS / 2];
  }

  /**
   * Measures threads that each run a filter of their own; returns the speedup. The filters' maps do
   * not fit into the cache of a core, so threads share its next level and the memory, as tasks do.
   *
   * @param each settings of each filter
   */
  public static double filters(int count, FilterSettings each, List<Reading> readings)
      throws InterruptedException {
    return speedup(
        count,
        number -> {
          SerialFilter filter = new SerialFilter(each, "pure-" + number);
          for (int i = 0; i < readings.size(); i++) {
            filter.process(i + 1L, readings.get(i));
          }
        });
  }

  /**
   * Returns the time of one thread that does all pieces, over the time of one thread for each
   * piece.
   */
  private static double speedup(int count, IntConsumer piece) throws InterruptedException {
    double alone = nanos(1, thread -> forEach(count, piece));
    return alone / nanos(count, piece);
  }

  private static void forEach(int count, IntConsumer piece) {
    for (int number = 0; number < count; number++) {
      piece.accept(number);
    }
  }

  private static long nanos(int count, IntConsumer work) throws InterruptedException {
    Thread[] threads = new Thread[count];
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads[i] = new Thread(() -> work.accept(number), "pure-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return System.nanoTime() - start;
  }

  /** Computes numbers that depend on each other, and on nothing in memory. */
  private static long steps(long count, long seed) {
    long value = seed + 1;
    for (long i = 0; i < count; i++) {
      value = value * MULTIPLIER + (value >>> 33) + i;
    }
    return value;
  }
}
