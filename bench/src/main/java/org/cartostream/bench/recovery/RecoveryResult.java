package org.cartostream.bench.recovery;

import java.util.Objects;
import java.util.SplittableRandom;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * The result of one kill: a row of {@code recovery.csv}. A figure that was not measured is null.
 *
 * @param draw what was killed, and when
 * @param equal true if path and map are those of the undisturbed run
 * @param lost readings that were, or have no outcome; null if the run has not ended
 * @param times of the recovery
 */
record RecoveryResult(Draw draw, boolean equal, Long lost, Times times) {

  /**
   * A kill as it was drawn.
   *
   * @param reading when this one is answered
   * @param laterMicros and so long after that, microseconds
   */
  record Draw(FaultTarget target, ResamplingMode mode, long seed, int reading, int laterMicros) {

    /** The kills are in this part of a run: none is over before what was killed is back. */
    private static final double EARLIEST = 0.1;

    private static final double LATEST = 0.7;

    /** About as long as a reading takes. */
    private static final int MAX_MICROS = 100_000;

    /**
     * Draws the moment.
     *
     * @param readings of the run
     */
    static Draw of(FaultTarget target, ResamplingMode mode, long seed, int readings) {
      SplittableRandom random =
          new SplittableRandom(Objects.hash(seed, target.ordinal(), mode.ordinal()));
      double part = EARLIEST + random.nextDouble() * (LATEST - EARLIEST);
      return new Draw(
          target, mode, seed, Math.max(1, (int) (part * readings)), random.nextInt(MAX_MICROS));
    }
  }

  /**
   * Durations of a recovery.
   *
   * @param outage the longest time without an answer from the kill on, seconds
   * @param detection from the kill until a new epoch begins, seconds
   * @param restore from then until all parts are loaded; null if the log does not say
   * @param repeated readings after the checkpoint that had been answered before
   * @param repeat from the restore, or else the epoch, to the first new answer, seconds
   * @param first how long the repeated readings took the first time, seconds
   */
  record Times(
      Double outage,
      Double detection,
      Double restore,
      Integer repeated,
      Double repeat,
      Double first) {

    /** Returns the times of a run that was not restored. */
    static Times without(Double outage) {
      return new Times(outage, null, null, null, null, null);
    }
  }

  static final TextTable<RecoveryResult> TABLE =
      TextTable.of(
          new Column<>("cell", -10, row -> row.draw().target()),
          new Column<>("mode", -8, row -> row.draw().mode()),
          new Column<>("seed", 4, row -> row.draw().seed()),
          new Column<>("reading", 7, row -> row.draw().reading()),
          new Column<>("equal", 5, row -> row.equal() ? "yes" : "no"),
          new Column<>("outage_s", 8, "%.2f", row -> row.times().outage()),
          new Column<>("detection_s", 11, "%.2f", row -> row.times().detection()),
          new Column<>("restore_s", 9, "%.2f", row -> row.times().restore()),
          new Column<>("repeated", 8, row -> row.times().repeated()),
          new Column<>("repeat_s", 8, "%.2f", row -> row.times().repeat()),
          new Column<>("first_s", 7, "%.2f", row -> row.times().first()),
          new Column<>("lost", 4, RecoveryResult::lost));
}
