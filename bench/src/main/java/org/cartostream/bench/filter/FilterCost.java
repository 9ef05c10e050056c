package org.cartostream.bench.filter;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.bench.accuracy.AccuracyTable;
import org.cartostream.bench.sequential.StragglerRatio;
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.run.evaluation.Accuracy;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.eval.RelationsError;

/**
 * Cost of the filter on one log with one number of particles, and its accuracy; a figure that was
 * not measured is null.
 *
 * @param log name of the log
 * @param particles number of the filter's particles
 * @param beams mean number of beams of a scan
 * @param scans number of scans processed in a run
 * @param firstPassMillis mean time of a scan in the first pass, in which the JVM warms up
 * @param meanMillis mean time of a scan; the range is over the seeds, as of all further figures
 * @param p50Millis median time of the scans that needed no wide search
 * @param p95Millis 95th percentile of the time of the scans that needed no wide search
 * @param p99Millis 99th percentile of the time of the scans that needed no wide search
 * @param searchedShare share of the scans that needed a wide search, 0 to 1
 * @param searchedMillis mean time of the scans that needed a wide search
 * @param nanosPerParticleAndBeam time for one beam of one particle, nanoseconds
 * @param nanosPerParticleBeamAndEvaluation time for one beam of one scored pose, with everything
 *     else that a scan costs, nanoseconds
 * @param evaluationsPerParticleAndScan mean number of poses that the scan matcher scored
 * @param slowestParticle computing time of the slowest particle over the mean particle's, with the
 *     first seed
 * @param liveHeapBytes heap after a full collection at the end, with the filter in it
 * @param peakResidentBytes most memory that the process had until the first pass ended, with all
 *     that ran in it before; 0 where the system does not tell
 * @param ateMetres absolute trajectory error
 * @param loopMedianMetres median error of the loop edges
 * @param loopP95Metres 95th percentile of the error of the loop edges
 * @param relationsMetres mean translation error over all relations
 * @param distantRelationsMetres mean translation error over relations of more than 60 s
 * @param seeds seeds of the runs, in their order
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FilterCost(
    String log,
    int particles,
    double beams,
    long scans,
    double firstPassMillis,
    MeanAndRange meanMillis,
    MeanAndRange p50Millis,
    MeanAndRange p95Millis,
    MeanAndRange p99Millis,
    MeanAndRange searchedShare,
    MeanAndRange searchedMillis,
    MeanAndRange nanosPerParticleAndBeam,
    MeanAndRange nanosPerParticleBeamAndEvaluation,
    MeanAndRange evaluationsPerParticleAndScan,
    StragglerRatio slowestParticle,
    MeanAndRange liveHeapBytes,
    long peakResidentBytes,
    MeanAndRange ateMetres,
    MeanAndRange loopMedianMetres,
    MeanAndRange loopP95Metres,
    MeanAndRange relationsMetres,
    MeanAndRange distantRelationsMetres,
    List<Long> seeds) {

  private static final double NANOS_PER_MILLI = 1e6;

  /** Runs of one log that differ in nothing but the seed. */
  public static final class Runs {

    private final String log;
    private final double beams;
    private final RunReport first;
    private final List<RunReport> runReports = new ArrayList<>();

    /**
     * @param log name of the log
     * @param beams mean number of beams of a scan
     * @param first run that warmed the JVM up
     */
    public Runs(String log, double beams, RunReport first) {
      this.log = log;
      this.beams = beams;
      this.first = first;
    }

    public void add(RunReport runReport) {
      runReports.add(runReport);
    }

    /**
     * Returns the figures of the runs.
     *
     * @param stragglerRatio the {@link FilterCost#slowestParticle}; may be null
     */
    public FilterCost figures(StragglerRatio stragglerRatio) {
      return new FilterCost(
          log,
          first.particles(),
          beams,
          first.readings().processed(),
          first.millisPerReading().mean(),
          MeanAndRange.of(runReports, run -> run.millisPerReading().mean()),
          MeanAndRange.of(runReports, run -> run.millisPerTrustedReading().p50()),
          MeanAndRange.of(runReports, run -> run.millisPerTrustedReading().p95()),
          MeanAndRange.of(runReports, run -> run.millisPerTrustedReading().p99()),
          MeanAndRange.of(runReports, FilterCost.Runs::searchedShare),
          MeanAndRange.of(runReports, run -> run.millisPerSearchedReading().mean()),
          MeanAndRange.of(runReports, run -> nanos(run) / beamsOfAllParticles(run)),
          MeanAndRange.of(runReports, run -> nanos(run) / beams / Math.max(1, run.evaluations())),
          MeanAndRange.of(runReports, run -> run.evaluations() * beams / beamsOfAllParticles(run)),
          stragglerRatio,
          MeanAndRange.of(runReports, RunReport::liveHeapBytes),
          first.peakResidentBytes(),
          AccuracyTable.spread(runReports, Accuracy::ateMetres),
          AccuracyTable.spread(runReports, Accuracy::loopMedianMetres),
          AccuracyTable.spread(runReports, Accuracy::loopP95Metres),
          AccuracyTable.spread(
              runReports,
              AccuracyTable.in(Accuracy::relations, RelationsError.Summary::meanMetres)),
          AccuracyTable.spread(
              runReports,
              AccuracyTable.in(Accuracy::distantRelations, RelationsError.Summary::meanMetres)),
          runReports.stream().map(RunReport::seed).toList());
    }

    private static double searchedShare(RunReport run) {
      return (double) run.odometry().searched() / Math.max(1, run.readings().processed());
    }

    /** Returns the time of all scans, nanoseconds. */
    private static double nanos(RunReport run) {
      return run.millisPerReading().mean() * NANOS_PER_MILLI * run.readings().processed();
    }

    /** Returns the number of beams of all scans, counted for each particle. */
    private double beamsOfAllParticles(RunReport run) {
      return Math.max(1, beams * run.meanParticles() * run.readings().processed());
    }
  }
}
