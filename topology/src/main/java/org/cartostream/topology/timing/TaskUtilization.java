package org.cartostream.topology.timing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;

/**
 * The computing time of each of a run's tasks, and the idle time in which none of them computed.
 *
 * <p>Owns the sums over all key frames so far, and the distribution of idle times. A key frame's
 * idle time is the part of its wall time that no task's {@link KeyFrameTiming} covers; its wall
 * time begins at the end of the previous key frame. Work for the next key frame, by a task that is
 * done with this one, does not count. (If a task has several robots, all pieces of work ahead count
 * as one piece.)
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
   * @param tasks number of tasks
   * @param oneClock true if all tasks are in one process, so that their times can be compared
   */
  public TaskUtilization(int tasks, boolean oneClock) {
    this.computeNanos = new long[tasks];
    this.particles = new int[tasks];
    this.oneClock = oneClock;
  }

  /**
   * The sums over all key frames so far.
   *
   * @param computeNanos computing time of each task, nanoseconds
   * @param particles latest number of particles of each task
   * @param slowestNanos computing time of the slowest task, summed over key frames, nanoseconds
   * @param decideNanos time that decisions took, nanoseconds
   * @param wallNanos wall time of all key frames, nanoseconds
   */
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

  /** Continues the sums of a checkpoint; starts at 0 if that had another number of tasks. */
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
   * Adds a key frame with which all tasks are done.
   *
   * @param admitted time at which it was admitted, by {@link System#nanoTime}
   * @param served time that it took by the dispatcher's clock, nanoseconds
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

  /**
   * Returns the time between {@code begin} and {@code end} in which none of the tasks computed,
   * nanoseconds.
   */
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
