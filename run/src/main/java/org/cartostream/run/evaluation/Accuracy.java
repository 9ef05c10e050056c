package org.cartostream.run.evaluation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import org.cartostream.run.metrics.LivePath;
import org.cartostream.slam.eval.RelationsError;
import org.cartostream.slam.trajectory.JumpDetector;

/**
 * Errors of a trajectory against ground truth; one that was not measured is null.
 *
 * @param ateMetres root mean square of the distance to the reference, after rigid alignment
 * @param ateMaxMetres the largest such distance
 * @param posesCompared poses of the reference that found a partner; or of the trajectory, if the
 *     reference has more and is interpolated
 * @param posesWanted poses of the reference, or then of the trajectory
 * @param interpolated true if the reference has stamps of its own
 * @param partial true if readings are missing, for the log's file is damaged or some were refused:
 *     the errors are those of the rest
 * @param loopMedianMetres half of the loop edges are off by less
 * @param loopP95Metres 95 % of the loop edges are off by less
 * @param loopEdges loop edges with both ends on the trajectory
 * @param relations the metric of Kümmerle et al. (2009)
 * @param distantRelations the same, over relations of more than 60 s only
 * @param relationsAtPoses the same, over relations between two poses, where none is interpolated
 * @param distantRelationsAtPoses the same, over those of them of more than 60 s
 * @param unmeasured why a metric could not be had although there was something to measure by
 * @param live of the poses on the way; null of a trajectory that is no run's
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Accuracy(
    Double ateMetres,
    Double ateMaxMetres,
    Integer posesCompared,
    Integer posesWanted,
    Boolean interpolated,
    Boolean partial,
    Double loopMedianMetres,
    Double loopP95Metres,
    Integer loopEdges,
    RelationsError.Summary relations,
    RelationsError.Summary distantRelations,
    RelationsError.Summary relationsAtPoses,
    RelationsError.Summary distantRelationsAtPoses,
    List<String> unmeasured,
    Live live) {

  /**
   * Errors of the poses that the robot was told while it drove, measured as those of the whole
   * path.
   *
   * @param moves how the pose moved at once
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Live(
      Double ateMetres,
      Double ateMaxMetres,
      Double loopMedianMetres,
      Double loopP95Metres,
      @JsonUnwrapped LivePath.Moves moves) {

    private void lines(StringBuilder lines) {
      line(
          lines,
          "on the way   the pose jumps by up to %.2f m, %d times by more than %.1f m",
          moves.largestJumpMetres(),
          moves.jumps(),
          JumpDetector.ANNOUNCED_METRES);
      if (moves.corrections() > 0) {
        line(
            lines,
            "  loops      corrected it %d times, by up to %.2f m",
            moves.corrections(),
            moves.largestCorrectionMetres());
      }
      if (ateMetres != null) {
        line(lines, "  ATE        %.3f m (largest %.3f m)", ateMetres, ateMaxMetres);
      }
      if (loopP95Metres != null) {
        line(lines, "  loop edges median %.3f m, p95 %.3f m", loopMedianMetres, loopP95Metres);
      }
    }
  }

  /** Returns the same beside what the poses on the way gave. */
  public Accuracy withLive(Accuracy online, LivePath livePath) {
    Live measured =
        new Live(
            online.ateMetres,
            online.ateMaxMetres,
            online.loopMedianMetres,
            online.loopP95Metres,
            livePath.moves());
    return new Accuracy(
        ateMetres,
        ateMaxMetres,
        posesCompared,
        posesWanted,
        interpolated,
        partial,
        loopMedianMetres,
        loopP95Metres,
        loopEdges,
        relations,
        distantRelations,
        relationsAtPoses,
        distantRelationsAtPoses,
        unmeasured,
        measured);
  }

  /** Returns a line for each metric that was measured, for people. */
  public String lines() {
    StringBuilder lines = new StringBuilder();
    if (ateMetres != null) {
      line(
          lines,
          "ATE          %.3f m (largest %.3f m, %s poses compared%s)%s",
          ateMetres,
          ateMaxMetres,
          posesCompared.equals(posesWanted) ? posesWanted : posesCompared + " of " + posesWanted,
          interpolated ? ", interpolated, for the reference has stamps of its own" : "",
          partial == null ? "" : " - partial: of the scans that could be used");
    }
    if (loopMedianMetres != null) {
      line(
          lines,
          "loop edges   median %.3f m, p95 %.3f m (%d edges)",
          loopMedianMetres,
          loopP95Metres,
          loopEdges);
    }
    if (live != null) {
      live.lines(lines);
    }
    if (relations != null) {
      line(lines, "relations    %s", relations);
    }
    if (distantRelations != null) {
      line(lines, "  over 60 s  %s", distantRelations);
    }
    if (relationsAtPoses != null) {
      line(lines, "  at poses   %s, none interpolated", relationsAtPoses);
    }
    if (distantRelationsAtPoses != null) {
      line(lines, "  both       %s", distantRelationsAtPoses);
    }
    unmeasured.forEach(why -> line(lines, "unmeasured   %s", why));
    return lines.toString();
  }

  private static void line(StringBuilder lines, String format, Object... values) {
    lines.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
