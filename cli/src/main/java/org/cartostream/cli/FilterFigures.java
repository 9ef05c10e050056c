package org.cartostream.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.scale.Stragglers;

/**
 * What the filter costs on one log with one number of particles, and how accurate it is; what was
 * not measured is null.
 *
 * @param log its name
 * @param particles of the filter
 * @param beams per scan, mean
 * @param scans processed per run
 * @param firstPassMillis mean per scan in the first pass, in which the JVM warms up
 * @param meanMillis mean per scan; the spread is over the seeds, as of all that follows
 * @param p50Millis half of the scans take less, of those that needed no wide search
 * @param p95Millis 95 % of those take less
 * @param p99Millis 99 % of those take less
 * @param searchedShare share of scans that did need one, 0 to 1
 * @param searchedMillis mean of these
 * @param nanosPerParticleAndBeam nanoseconds of the mean scan
 * @param nanosPerParticleBeamAndEvaluation nanoseconds for one beam of one scored pose, with
 *     everything else that a scan costs
 * @param evaluationsPerParticleAndScan poses scored by the scan matcher
 * @param slowestParticle its computing over the mean particle's, with the first seed
 * @param liveHeapBytes after a full collection at the end, with the filter in it
 * @param ateMetres absolute trajectory error
 * @param loopMedianMetres half of the loop edges are off by less
 * @param loopP95Metres 95 % of the loop edges are off by less
 * @param relationsMetres mean translation error over all relations
 * @param distantRelationsMetres the same, over relations of more than 60 s
 * @param seeds of the runs, in their order
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FilterFigures(
    String log,
    int particles,
    double beams,
    long scans,
    double firstPassMillis,
    Spread meanMillis,
    Spread p50Millis,
    Spread p95Millis,
    Spread p99Millis,
    Spread searchedShare,
    Spread searchedMillis,
    Spread nanosPerParticleAndBeam,
    Spread nanosPerParticleBeamAndEvaluation,
    Spread evaluationsPerParticleAndScan,
    Stragglers slowestParticle,
    Spread liveHeapBytes,
    Spread ateMetres,
    Spread loopMedianMetres,
    Spread loopP95Metres,
    Spread relationsMetres,
    Spread distantRelationsMetres,
    List<Long> seeds) {

  private static final double NANOS_PER_MILLI = 1e6;

  /** Runs of one log that differ in nothing but the seed. */
  static final class Runs {

    private final String log;
    private final double beams;
    private final Report first;
    private final List<Report> reports = new ArrayList<>();

    /**
     * @param beams per scan, mean
     * @param first the pass that warmed the JVM up
     */
    Runs(String log, double beams, Report first) {
      this.log = log;
      this.beams = beams;
      this.first = first;
    }

    void add(Report report) {
      reports.add(report);
    }

    /**
     * @param stragglers by {@link FilterFigures#slowestParticle}; may be null
     */
    FilterFigures figures(Stragglers stragglers) {
      return new FilterFigures(
          log,
          first.particles(),
          beams,
          first.readings().processed(),
          first.millisPerReading().mean(),
          Spread.of(reports, run -> run.millisPerReading().mean()),
          Spread.of(reports, run -> run.millisPerTrustedReading().p50()),
          Spread.of(reports, run -> run.millisPerTrustedReading().p95()),
          Spread.of(reports, run -> run.millisPerTrustedReading().p99()),
          Spread.of(reports, FilterFigures.Runs::searchedShare),
          Spread.of(reports, run -> run.millisPerSearchedReading().mean()),
          Spread.of(reports, run -> nanos(run) / beamsOfAllParticles(run)),
          Spread.of(reports, run -> nanos(run) / beams / Math.max(1, run.evaluations())),
          Spread.of(reports, run -> run.evaluations() * beams / beamsOfAllParticles(run)),
          stragglers,
          Spread.of(reports, Report::liveHeapBytes),
          AccuracyTable.spread(reports, Accuracy::ateMetres),
          AccuracyTable.spread(reports, Accuracy::loopMedianMetres),
          AccuracyTable.spread(reports, Accuracy::loopP95Metres),
          AccuracyTable.spread(reports, Accuracy::relationsMetres),
          AccuracyTable.spread(reports, Accuracy::distantRelationsMetres),
          reports.stream().map(Report::seed).toList());
    }

    private static double searchedShare(Report run) {
      return (double) run.odometry().searched() / Math.max(1, run.readings().processed());
    }

    /** Nanoseconds of all scans. */
    private static double nanos(Report run) {
      return run.millisPerReading().mean() * NANOS_PER_MILLI * run.readings().processed();
    }

    /** Beams of all scans, counted for each particle. */
    private double beamsOfAllParticles(Report run) {
      return Math.max(1, beams * run.particles() * run.readings().processed());
    }
  }
}
