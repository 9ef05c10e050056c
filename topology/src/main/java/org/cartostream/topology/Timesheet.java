package org.cartostream.topology;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.cartostream.broker.Teamwork;

/**
 * Who of a run's tasks computed how long, and for how long nobody did.
 *
 * <p>Owns the sums over all key frames so far, and the distribution of the time in which no task
 * computed: of a key frame's wall time, which begins where the one before ended, what is left when
 * the {@link Stint}s of all tasks are taken away. It is strict: what a task that is done does for
 * the next key frame does not count. (Where a task has several robots, pieces of work ahead are
 * taken as one.)
 */
final class Timesheet {

  private static final int SIGNIFICANT_DIGITS = 3;

  private final boolean oneClock;
  private final long[] computeNanos;
  private final int[] particles;
  private final Histogram idle = new Histogram(SIGNIFICANT_DIGITS);
  private long keyFrames;
  private long slowestNanos;
  private long decideNanos;
  private long wallNanos;
  private long lastEnd = Long.MIN_VALUE;

  /**
   * @param tasks how many there are
   * @param oneClock whether all are in one process, so that their moments can be compared
   */
  Timesheet(int tasks, boolean oneClock) {
    this.computeNanos = new long[tasks];
    this.particles = new int[tasks];
    this.oneClock = oneClock;
  }

  /** The sums over all key frames so far. */
  record Sums(
      long keyFrames,
      long[] computeNanos,
      int[] particles,
      long slowestNanos,
      long decideNanos,
      long wallNanos) {}

  Sums sums() {
    return new Sums(
        keyFrames, computeNanos.clone(), particles.clone(), slowestNanos, decideNanos, wallNanos);
  }

  /** Goes on with the sums of another process, whose moments cannot be compared with ours. */
  void goOn(Sums sums) {
    keyFrames = sums.keyFrames();
    System.arraycopy(sums.computeNanos(), 0, computeNanos, 0, computeNanos.length);
    System.arraycopy(sums.particles(), 0, particles, 0, particles.length);
    slowestNanos = sums.slowestNanos();
    decideNanos = sums.decideNanos();
    wallNanos = sums.wallNanos();
  }

  /**
   * All tasks are done with a key frame.
   *
   * @param admitted when it was admitted
   * @param served how long it took by the dispatcher's clock, nanoseconds
   */
  void keyFrame(long admitted, long served, Stint[] stints) {
    keyFrames++;
    long slowest = 0;
    for (Stint stint : stints) {
      computeNanos[stint.task()] += stint.computeNanos();
      particles[stint.task()] = stint.particles();
      slowest = Math.max(slowest, stint.computeNanos());
    }
    slowestNanos += slowest;
    if (!oneClock) {
      wallNanos += served;
      return;
    }
    long end = Arrays.stream(stints).mapToLong(Stint::registered).max().orElseThrow();
    long begin = Math.min(end, Math.max(lastEnd, admitted));
    wallNanos += end - begin;
    idle.recordValue(idleNanos(begin, end, stints));
    lastEnd = end;
  }

  void decided(long nanos) {
    decideNanos += nanos;
  }

  /** Nanoseconds between two moments in which none of the tasks computed. */
  static long idleNanos(long begin, long end, Stint[] stints) {
    record Spell(long from, long to) {}
    List<Spell> spells =
        Arrays.stream(stints)
            .flatMap(
                stint ->
                    java.util.stream.Stream.of(
                        new Spell(stint.from(), stint.matched() + stint.aheadNanos()),
                        new Spell(stint.nextFrom(), stint.nextFrom() + stint.nextNanos()),
                        new Spell(stint.judged(), stint.sent()),
                        new Spell(stint.arrived(), stint.registered())))
            .sorted(Comparator.comparingLong(Spell::from))
            .toList();
    long idle = 0;
    long covered = begin;
    for (Spell spell : spells) {
      idle += Math.max(0, Math.min(spell.from(), end) - covered);
      covered = Math.max(covered, spell.to());
    }
    return idle + Math.max(0, end - covered);
  }

  Teamwork teamwork() {
    return new Teamwork(
        keyFrames,
        LongStream.of(computeNanos).boxed().toList(),
        Arrays.stream(particles).boxed().toList(),
        slowestNanos,
        decideNanos,
        wallNanos,
        idle.getValueAtPercentile(10),
        idle.getValueAtPercentile(50),
        idle.getValueAtPercentile(95));
  }
}
