package org.cartostream.topology.timing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;

/**
 * The computing time of each of a run's tasks, and the time in which none computed.
 *
 * <p>Owns the sums over all key frames so far, and the distribution of the time in which no task
 * computed: of a key frame's wall time, which begins where the one before ended, what is left when
 * the {@link KeyFrameTiming}s of all tasks are taken away. It is strict: what a task that is done
 * does for the next key frame does not count. (Where a task has several robots, pieces of work
 * ahead are taken as one.)
 */
public final class TaskUtilization {

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
  public TaskUtilization(int tasks, boolean oneClock) {
    this.computeNanos = new long[tasks];
    this.particles = new int[tasks];
    this.oneClock = oneClock;
  }

  /** The sums over all key frames so far. */
  public record Snapshot(
      long keyFrames,
      long[] computeNanos,
      int[] particles,
      long slowestNanos,
      long decideNanos,
      long wallNanos) {}

  public Snapshot snapshot() {
    return new Snapshot(
        keyFrames, computeNanos.clone(), particles.clone(), slowestNanos, decideNanos, wallNanos);
  }

  /**
   * Goes on with the sums of another process, whose moments cannot be compared with ours; not with
   * those of another number of tasks.
   */
  public void restore(Snapshot snapshot) {
    if (snapshot.particles().length != particles.length) {
      return;
    }
    keyFrames = snapshot.keyFrames();
    System.arraycopy(snapshot.computeNanos(), 0, computeNanos, 0, computeNanos.length);
    System.arraycopy(snapshot.particles(), 0, particles, 0, particles.length);
    slowestNanos = snapshot.slowestNanos();
    decideNanos = snapshot.decideNanos();
    wallNanos = snapshot.wallNanos();
  }

  /**
   * All tasks are done with a key frame.
   *
   * @param admitted when it was admitted
   * @param served how long it took by the dispatcher's clock, nanoseconds
   */
  public void keyFrame(long admitted, long served, KeyFrameTiming[] keyFrameTimings) {
    keyFrames++;
    long slowest = 0;
    for (KeyFrameTiming keyFrameTiming : keyFrameTimings) {
      computeNanos[keyFrameTiming.task()] += keyFrameTiming.computeNanos();
      particles[keyFrameTiming.task()] = keyFrameTiming.particles();
      slowest = Math.max(slowest, keyFrameTiming.computeNanos());
    }
    slowestNanos += slowest;
    if (!oneClock) {
      wallNanos += served;
      return;
    }
    long end =
        Arrays.stream(keyFrameTimings).mapToLong(KeyFrameTiming::updated).max().orElseThrow();
    long begin = Math.min(end, Math.max(lastEnd, admitted));
    wallNanos += end - begin;
    idle.recordValue(idleNanos(begin, end, keyFrameTimings));
    lastEnd = end;
  }

  public void decided(long nanos) {
    decideNanos += nanos;
  }

  /** Nanoseconds between two moments in which none of the tasks computed. */
  static long idleNanos(long begin, long end, KeyFrameTiming[] keyFrameTimings) {
    record Spell(long from, long to) {}
    List<Spell> spells =
        Arrays.stream(keyFrameTimings)
            .flatMap(
                keyFrameTiming ->
                    java.util.stream.Stream.of(
                        new Spell(
                            keyFrameTiming.from(),
                            keyFrameTiming.matched() + keyFrameTiming.aheadNanos()),
                        new Spell(
                            keyFrameTiming.nextFrom(),
                            keyFrameTiming.nextFrom() + keyFrameTiming.nextNanos()),
                        new Spell(keyFrameTiming.decided(), keyFrameTiming.sent()),
                        new Spell(keyFrameTiming.arrived(), keyFrameTiming.updated())))
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

  public TaskBalance teamwork() {
    return new TaskBalance(
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
