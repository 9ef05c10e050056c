package org.cartostream.run.evaluation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import org.cartostream.run.metrics.LivePath;
import org.cartostream.slam.eval.RelationsError;
import org.cartostream.slam.trajectory.JumpDetector;

/**
 * Errors of a trajectory against ground truth; the fields of a metric that was not measured are
 * null.
 *
 * @param ateMetres absolute trajectory error (ATE): root mean square of the distances to the
 *     reference, after rigid alignment, metres
 * @param ateMaxMetres largest distance to the reference after rigid alignment, metres
 * @param posesCompared number of compared poses: those of the reference that have a partner in the
 *     trajectory; or those of the trajectory, if the reference has more poses and is interpolated
 * @param posesWanted number of poses of the reference; or of the trajectory, if the reference is
 *     interpolated for having more
 * @param interpolated true if the reference has stamps of its own
 * @param partial true if poses are missing because the log's file is damaged or readings were
 *     refused; the errors are those of the remaining poses
 * @param loopMedianMetres median error of the loop edges, metres
 * @param loopP95Metres 95th percentile of the errors of the loop edges, metres
 * @param loopEdges number of loop edges with both ends on the trajectory
 * @param relations errors of the relative poses in the metric of Kümmerle et al. (2009)
 * @param distantRelations errors of only those relations that span more than 60 s
 * @param relationsAtPoses errors of only those relations whose ends are poses of the trajectory,
 *     not interpolated ones
 * @param distantRelationsAtPoses errors of the relations that span more than 60 s between two poses
 *     of the trajectory
 * @param unmeasured reasons why metrics could not be computed although their ground truth exists
 * @param live errors of the live poses; null for a trajectory that is not from a run
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
   * @param moves jumps and corrections of the pose
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

  /** Returns a copy with the errors of the run's live poses added. */
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
