package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.slam.geometry.Pose;

/** What a report says to people, on a screen of 80 x 24. */
final class Summary {

  private static final int MOST_REASONS = 4;

  /** A mount's error that is worth a look at the robot's description; less may be chance. */
  private static final double MENTIONED_METRES = 0.05;

  private static final double MENTIONED_RADIANS = Math.toRadians(1);

  private final Report report;
  private final PrintWriter out;

  private Summary(Report report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  static void print(Report report, PrintWriter out) {
    Summary summary = new Summary(report, out);
    if (report.readings().read() == 0) {
      summary.line("%s: %s", summary.log(), "ended before the first reading");
    } else {
      summary.readings();
      summary.effort();
      summary.accuracy();
    }
    summary.files();
    out.flush();
  }

  private void readings() {
    ReadingCounts readings = report.readings();
    line(
        "%s: %d readings, %.0f m driven, in %.1f s (%.1f readings/s)%s",
        log(),
        readings.read(),
        report.distanceMetres(),
        report.wallSeconds(),
        report.wallSeconds() > 0 ? readings.done() / report.wallSeconds() : 0,
        report.end() == Report.End.INTERRUPTED ? " - interrupted" : "");
    line(
        "readings     %d processed, %d refused, %d skipped, %d lost",
        readings.processed(), readings.refused(), readings.skipped(), readings.lost());
    report.refusals().entrySet().stream()
        .limit(MOST_REASONS)
        .forEach(
            reason ->
                line(
                    "  %6d x %s: %s",
                    reason.getValue().count(), reason.getKey(), reason.getValue().first()));
    report.notices().forEach(notice -> line("note         %s", notice));
  }

  private String log() {
    return report.log().replaceAll(".*[/\\\\]", "");
  }

  private void effort() {
    if (report.odometry().searched() > 0) {
      line(
          "odometry     doubted at %d readings (mean %.1f ms); the laser's word taken at %d",
          report.odometry().searched(),
          report.millisPerSearchedReading().mean(),
          report.odometry().replaced());
    } else if (report.odometry().replaced() > 0) {
      line("odometry     the laser's word taken at %d readings", report.odometry().replaced());
    }
    Pose error = report.odometry().mountError();
    if (error.distance(Pose.ORIGIN) > MENTIONED_METRES
        || Math.abs(error.theta()) > MENTIONED_RADIANS) {
      line(
          "mount        laser off its declared place by x %+.2f m, y %+.2f m, %+.1f degrees",
          error.x(), error.y(), Math.toDegrees(error.theta()));
    }
    if (report.broker() != null && report.broker().rebuilt() > 0) {
      line(
          "lost         %d particles with a process that died; others' copies took their place",
          report.broker().rebuilt());
    }
    Ledger.Millis millis = report.millisPerReading();
    line(
        "ms/reading   mean %.1f, p50 %.1f, p95 %.1f, p99 %.1f",
        millis.mean(), millis.p50(), millis.p95(), millis.p99());
    line("stages       %s", stages(report.stages()));
    line(
        "filter       %d particles on %d task%s (%s, seed %d), %d resamplings, %s moved",
        report.particles(),
        report.tasks(),
        report.tasks() == 1 ? "" : "s",
        report.engine(),
        report.seed(),
        report.resamplings(),
        bytes(report.bytesMoved()));
    TeamReport team = report.team();
    if (team != null && report.tasks() > 1) {
      line(
          "tasks        ms a key frame: slowest %.1f (%.2f x the mean), nobody computes %.1f (p95"
              + " %.1f); particles %s",
          team.slowestMillis(),
          team.slowestOverMean(),
          team.idleP50Millis(),
          team.idleP95Millis(),
          team.particles());
    }
    Report.Loops loops = report.loops();
    if (loops.seconds() > 0) {
      line(
          "loops        %d edges closed in %.1f s, poses moved by up to %.2f m",
          loops.closed(), loops.seconds(), loops.movedMetres());
    }
    line("live heap    %s", bytes(report.liveHeapBytes()));
  }

  private void accuracy() {
    if (report.accuracy() != null) {
      out.print(report.accuracy().lines());
    }
  }

  private void files() {
    line(report.files().isEmpty() ? "written:     nothing, for nothing was read" : "written:");
    report.files().forEach((file, what) -> line("  %s  %s", file, what));
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
