package org.cartostream.run.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.engine.LocalisationReport;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.OdometryStatistics;

/**
 * The report of a run as text for a screen of 80 x 24: what was mapped, how good it is, and where
 * the files are; with {@code --verbose} also what the run cost and what the filter did.
 */
public final class RunSummary {

  private static final int MAX_REASONS = 4;

  /** Minimum error of the laser's mount to be reported, metres; a smaller one may be chance. */
  private static final double MENTIONED_METRES = 0.05;

  private static final double MENTIONED_RADIANS = Math.toRadians(1);

  /**
   * Maximum error of the mount that is measured reliably, radians; a larger one is reported without
   * its size.
   */
  private static final double MEASURABLE_RADIANS = Math.toRadians(20);

  /** Share of the readings above which replaced odometry is reported as contradicting the laser. */
  private static final double MENTIONED_SHARE = 0.2;

  private final RunReport runReport;
  private final PrintWriter out;

  private RunSummary(RunReport runReport, PrintWriter out) {
    this.runReport = runReport;
    this.out = out;
  }

  public static void print(RunReport runReport, PrintWriter out, boolean verbose) {
    RunSummary runSummary = new RunSummary(runReport, out);
    if (runReport.readings().read() == 0) {
      runSummary.line("%s: %s", runSummary.log(), "ended before the first reading");
    } else {
      runSummary.readings();
      runSummary.quality();
      if (verbose) {
        runSummary.cost();
      }
    }
    runSummary.files();
    runSummary.unwritten();
    out.flush();
  }

  private void readings() {
    ReadingCounts readings = runReport.readings();
    line(
        "%s: %d readings, %.0f m driven, in %.1f s (%.1f readings/s)%s",
        log(),
        readings.read(),
        runReport.distanceMetres(),
        runReport.wallSeconds(),
        runReport.wallSeconds() > 0 ? readings.done() / runReport.wallSeconds() : 0,
        runReport.end() == RunReport.End.INTERRUPTED ? " - interrupted" : "");
    line(
        "readings     %d processed, %d refused, %d skipped, %d lost",
        readings.processed(), readings.refused(), readings.skipped(), readings.lost());
    runReport.refusals().entrySet().stream()
        .limit(MAX_REASONS)
        .forEach(
            reason ->
                line(
                    "  %6d x %s: %s",
                    reason.getValue().count(), reason.getKey(), reason.getValue().first()));
    if (runReport.damage() != null) {
      line("read         %s", runReport.damage());
    }
    if (runReport.resumed() != null) {
      line(
          "resumed      behind reading %d, from a checkpoint loaded in %.1f s",
          runReport.resumed().reading(), runReport.resumed().seconds());
    }
    runReport.notices().forEach(notice -> line("note         %s", notice));
  }

  private String log() {
    return Stream.of(runReport.log().split(", "))
        .map(file -> file.replaceAll(".*[/\\\\]", ""))
        .collect(Collectors.joining(", "));
  }

  private void quality() {
    LocalisationReport found = runReport.localisation();
    if (found != null) {
      line(
          "localised    %d OK, %d AMBIGUOUS, %d LOST; at the end %s",
          found.ok(), found.ambiguous(), found.lost(), found.end());
      line(
          "fit          median %.2f, least %.2f; particles spread by %.2f m",
          found.medianFit(), found.minFit(), found.medianSpreadMetres());
    }
    odometry(
            runReport.odometry(),
            runReport.readings().processed(),
            runReport.configuration().get("ros.laserLagSeconds"))
        .forEach(out::println);
    Engine.Recovered recovered = runReport.recovered();
    if (recovered != null && recovered.notDurable() != null) {
      line("checkpoints  not durable %s", recovered.notDurable());
    }
    if (recovered != null && recovered.times() > 0) {
      line(
          "restored     %d times after a failure, last from reading %d; %d readings repeated,"
              + " %.1f s; the result is the same",
          recovered.times(), recovered.reading(), recovered.replayed(), recovered.seconds());
    }
    RunReport.Loops loops = runReport.loops();
    if (loops.seconds() > 0 && runReport.readings().processed() > 0) {
      line(
          "loops        %d edges closed in %.1f s, poses moved by up to %.2f m",
          loops.closed(), loops.seconds(), loops.movedMetres());
    }
    if (loops.wayBits() > 0) {
      line(
          "path         of the %s: the scans agree %s along it (in Mbit: way %.3f, end %.3f)",
          loops.path().equals("end") ? "search at the end" : "way",
          loops.wayBits() == loops.endBits() ? "as well" : "better",
          loops.wayBits() / 1e6,
          loops.endBits() / 1e6);
    }
    if (loops.places().contradicted() > 0) {
      line(
          "broken       at %d of %d places that were seen twice, scans contradict earlier ones: the"
              + " map is broken there, or what stands there has moved",
          loops.places().contradicted(), loops.places().revisited());
    }
    if (runReport.accuracy() != null) {
      out.print(runReport.accuracy().lines());
    }
  }

  /**
   * Returns lines for people on errors of odometry, of the laser's mount, and of the scans' stamps.
   *
   * @param corrected the laser's lag that the settings correct already, seconds
   */
  static List<String> odometry(OdometryStatistics odometry, long processed, String corrected) {
    List<String> lines = new ArrayList<>();
    Pose error = odometry.mountError();
    if (odometry.replaced() > MENTIONED_SHARE * processed) {
      lines.add(
          ("odometry     contradicts the laser: replaced at %d of %d readings; is it in metres and"
                  + " radians, and is the laser mounted as declared, not sideways or backwards?")
              .formatted(odometry.replaced(), processed));
    } else if (Math.abs(error.theta()) > MEASURABLE_RADIANS) {
      lines.add("mount        laser turned by more than 20 degrees from its declared place");
    } else if (error.distance(Pose.ORIGIN) > MENTIONED_METRES
        || Math.abs(error.theta()) > MENTIONED_RADIANS) {
      lines.add(
          String.format(
              Locale.ROOT,
              "mount        laser off its declared place by x %+.2f m, y %+.2f m, %+.1f degrees",
              error.x(),
              error.y(),
              Math.toDegrees(error.theta())));
    }
    double lag = odometry.lagSeconds();
    if (lag != 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "lag          scans are stamped %.2f s %s than they were taken, by odometry's turns;"
                  + " for bags and robots: --set ros.laserLagSeconds=%.2f",
              Math.abs(lag),
              lag > 0 ? "later" : "earlier",
              Double.parseDouble(corrected) + lag));
    }
    return lines;
  }

  private void cost() {
    if (runReport.odometry().searched() > 0) {
      line(
          "odometry     doubted at %d readings (mean %.1f ms); the laser's motion taken at %d",
          runReport.odometry().searched(),
          runReport.millisPerSearchedReading().mean(),
          runReport.odometry().replaced());
    } else if (runReport.odometry().replaced() > 0) {
      line("odometry     the laser's motion taken at %d readings", runReport.odometry().replaced());
    }
    RunMetrics.Millis millis = runReport.millisPerReading();
    line(
        "ms/reading   mean %.1f, p50 %.1f, p95 %.1f, p99 %.1f",
        millis.mean(), millis.p50(), millis.p95(), millis.p99());
    if (!runReport.stages().isEmpty()) {
      line("stages       %s", stages(runReport.stages()));
    }
    line(
        "filter       %d particles%s on %d task%s (%s, seed %d), %d resamplings, %s moved",
        runReport.particles(),
        runReport.meanParticles() > 0 && runReport.meanParticles() < runReport.particles()
            ? String.format(Locale.ROOT, " (mean %.1f)", runReport.meanParticles())
            : "",
        runReport.tasks(),
        runReport.tasks() == 1 ? "" : "s",
        runReport.engine(),
        runReport.seed(),
        runReport.resamplings(),
        bytes(runReport.bytesMoved()));
    TaskBalanceReport team = runReport.team();
    if (team != null && runReport.tasks() > 1) {
      line(
          "tasks        ms a key frame: slowest %.1f (%.2f x the mean), nobody computes %.1f (p95"
              + " %.1f); particles %s",
          team.slowestMillis(),
          team.slowestOverMean(),
          team.idleP50Millis(),
          team.idleP95Millis(),
          team.particles());
    }
    line(
        "memory       %s resident at most, %s live in the heap at the end",
        bytes(runReport.peakResidentBytes()), bytes(runReport.liveHeapBytes()));
  }

  private void files() {
    line(runReport.files().isEmpty() ? "written:     nothing, for nothing was read" : "written:");
    int widest = runReport.files().keySet().stream().mapToInt(String::length).max().orElse(1);
    runReport.files().forEach((file, what) -> line("  %-" + widest + "s  %s", file, what));
  }

  private void unwritten() {
    if (!runReport.unwritten().isEmpty()) {
      line("not written to the run's end:");
      runReport.unwritten().forEach((file, why) -> line("  %s  %s", file, why));
    }
  }

  private static String stages(Map<String, Double> stages) {
    return stages.entrySet().stream()
        .map(
            stage ->
                String.format(Locale.ROOT, "%s %.0f %%", stage.getKey(), 100 * stage.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String bytes(long bytes) {
    return bytes < 1_000_000
        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
