package org.cartostream.bench.recovery;

import java.util.Objects;
import java.util.SplittableRandom;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * Result of one kill: a row of {@code recovery.csv}. A figure that was not measured is null.
 *
 * @param draw what was killed, and when
 * @param equal true if path and map are those of the undisturbed run
 * @param lost number of readings that were lost, or have no outcome; null if the run has not ended
 * @param times times of the recovery
 */
record RecoveryResult(Draw draw, boolean equal, Long lost, Times times) {

  /**
   * Kill as it was drawn.
   *
   * @param reading number of answered readings before the kill
   * @param laterMicros time from that answer to the kill, microseconds
   */
  record Draw(FaultTarget target, ResamplingMode mode, long seed, int reading, int laterMicros) {

    /**
     * Share of a run's readings before which nothing is killed. After {@link #LATEST} nothing is,
     * either, so that the run is not over before the killed process is back.
     */
    private static final double EARLIEST = 0.1;

    private static final double LATEST = 0.7;

    /** Maximum time from an answer to a kill: about as long as a reading takes. */
    private static final int MAX_MICROS = 100_000;

    /**
     * Draws the moment of a kill.
     *
     * @param readings number of readings of the run
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
   * @param outage longest time without an answer from the kill on, seconds
   * @param detection time from the kill until a new epoch begins, seconds
   * @param restore time from the new epoch until all parts are loaded, seconds; null if the log
   *     does not say
   * @param repeated number of readings after the checkpoint that had been answered before
   * @param repeat time from the restore, or else the new epoch, to the first new answer, seconds
   * @param first time that the repeated readings took the first time, seconds
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
