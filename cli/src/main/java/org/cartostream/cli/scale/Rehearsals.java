package org.cartostream.cli.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.Rehearsal;
import org.cartostream.topology.Rehearsal.Turn;
import org.cartostream.topology.ServiceSettings;

/**
 * What each task computes for each reading, measured more than once: the work is the same each
 * time, so the least time is what it takes, and the rest is what came between (a collection, a
 * compiler, another process). The clock is that of the thread's computing time.
 */
public final class Rehearsals {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Rehearsals() {}

  /**
   * Rehearses the readings with so many tasks, unless it is to stop.
   *
   * @param passes how often; at least 1
   * @param stop is asked at each reading; then there are no turns
   */
  public static List<Turn> least(
      ServiceSettings settings,
      String robot,
      int tasks,
      List<Reading> readings,
      int passes,
      BooleanSupplier stop) {
    List<Turn> least = null;
    for (int pass = 0; pass < passes; pass++) {
      List<Turn> turns = once(settings, robot, tasks, readings, stop);
      if (stop.getAsBoolean()) {
        return List.of(); // Half a rehearsal is none.
      }
      least = least == null ? turns : least(least, turns);
    }
    return least;
  }

  private static List<Turn> once(
      ServiceSettings settings,
      String robot,
      int tasks,
      List<Reading> readings,
      BooleanSupplier stop) {
    Rehearsal rehearsal = new Rehearsal(settings, robot, tasks, THREADS::getCurrentThreadCpuTime);
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < readings.size() && !stop.getAsBoolean(); i++) {
      Optional<Turn> turn = rehearsal.process(i + 1L, readings.get(i));
      turn.ifPresent(turns::add);
    }
    return turns;
  }

  /** Of two rehearsals of the same readings, the lesser of each time. */
  static List<Turn> least(List<Turn> one, List<Turn> other) {
    if (one.size() != other.size()) {
      throw new IllegalArgumentException(
          "rehearsals of " + one.size() + " and " + other.size() + " readings are not the same");
    }
    return IntStream.range(0, one.size()).mapToObj(i -> least(one.get(i), other.get(i))).toList();
  }

  private static Turn least(Turn one, Turn other) {
    return new Turn(
        Math.min(one.intakeNanos(), other.intakeNanos()),
        one.keyFrame(),
        least(one.matchNanos(), other.matchNanos()),
        least(one.aheadNanos(), other.aheadNanos()),
        one.ahead(),
        Math.min(one.decideNanos(), other.decideNanos()),
        least(one.sendNanos(), other.sendNanos()),
        least(one.registerNanos(), other.registerNanos()),
        Math.min(one.publishNanos(), other.publishNanos()),
        one.statementBytes(),
        one.resampled(),
        one.transfers());
  }

  private static long[] least(long[] one, long[] other) {
    long[] least = new long[one.length];
    Arrays.setAll(least, i -> Math.min(one[i], other[i]));
    return least;
  }
}
