package org.cartostream.bench.scale;

import java.util.function.ToDoubleFunction;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;

/**
 * Cost of a played case, measured on this machine, and modelled beside it. Times are milliseconds
 * per reading.
 *
 * @param of the case
 * @param millis time of a reading
 * @param cpuMillis computing time of all processes of the cluster
 * @param usage use of this machine's processors
 * @param modelMillis modelled time on this machine
 * @param ownMillis modelled time if each task had a core of its own
 * @param one the same with one task; null if this is it
 */
record PlayedCost(
    Case of,
    double millis,
    double cpuMillis,
    MachineUsage.Usage usage,
    double modelMillis,
    double ownMillis,
    PlayedCost one) {

  /**
   * A service that plays.
   *
   * @param hosts number of hosts with workers
   * @param workers number of workers, which are processes
   * @param tasks number of tasks with particles, on all workers
   * @param particles number of particles
   * @param slower factor on the recorded times; 0 for messages alone
   * @param readings number of readings, of which the first are not timed
   */
  record Case(int hosts, int workers, int tasks, int particles, double slower, int readings) {

    /** Returns the same with another factor on the times. */
    Case slower(double factor) {
      return new Case(hosts, workers, tasks, particles, factor, readings);
    }
  }

  private static final String SHORT = "%.2f";
  private static final double PERCENT = 100;

  /** Table of the costs, for people and as CSV. */
  static final TextTable<PlayedCost> TABLE =
      TextTable.of(
          new Column<>("hosts", 5, row -> row.of.hosts),
          new Column<>("workers", 7, row -> row.of.workers),
          new Column<>("tasks", 5, row -> row.of.tasks),
          new Column<>("particles", 9, row -> row.of.particles),
          new Column<>("slower", 6, "%.1f", row -> row.of.slower),
          new Column<>("readings", 8, row -> row.of.readings),
          new Column<>("ms", 8, SHORT, PlayedCost::millis),
          new Column<>("faster_by", 9, SHORT, row -> row.fasterBy(PlayedCost::millis)),
          new Column<>("model_ms", 8, SHORT, PlayedCost::modelMillis),
          new Column<>("model_by", 8, SHORT, row -> row.fasterBy(PlayedCost::modelMillis)),
          new Column<>("model_off_%", 11, "%+.1f", PlayedCost::offPercent),
          new Column<>("own_core_ms", 11, SHORT, PlayedCost::ownMillis),
          new Column<>("own_core_by", 11, SHORT, row -> row.fasterBy(PlayedCost::ownMillis)),
          new Column<>("cpu_ms", 7, SHORT, PlayedCost::cpuMillis),
          new Column<>("machine_%", 9, "%.0f", row -> PERCENT * row.usage.machine()),
          new Column<>("others_%", 8, "%.0f", row -> PERCENT * row.usage.others()),
          new Column<>("machine", 7, row -> row.usage.isBusy() ? "busy" : "idle"));

  /** Returns by how much one task takes longer; null for messages alone. */
  private Double fasterBy(ToDoubleFunction<PlayedCost> time) {
    double its = time.applyAsDouble(this);
    return of.slower == 0 ? null : Double.valueOf(one == null ? 1 : time.applyAsDouble(one) / its);
  }

  private double offPercent() {
    return PERCENT * (modelMillis / millis - 1);
  }
}
