package org.cartostream.slam.localisation;

import java.util.Objects;

/**
 * The quality of a pose in a known map: how well the scan fits there, and how sure the particles
 * are of it.
 *
 * @param fit share of the scan's hits that end at a wall of the map, 0 to 1: of this scan, or the
 *     average over some ten scans, whichever is less
 * @param deviationMetres root of the mean squared distance of the particles from the pose, without
 *     the particles of other clusters
 * @param deviationRadians likewise for the particles' headings, radians
 * @param share share of the particles' weight in the cluster at the pose, 0 to 1
 * @param state usability of the pose by the other figures
 */
public record LocalisationQuality(
    double fit, double deviationMetres, double deviationRadians, double share, State state) {

  public LocalisationQuality {
    Objects.requireNonNull(state, "state");
  }

  /** Usability of a pose. */
  public enum State {
    /** The robot is at the pose. */
    OK,
    /**
     * The robot may be elsewhere: a tenth or more of the weight is at other places, or the robot
     * was searched for everywhere and has seen too little since.
     */
    AMBIGUOUS,
    /** The scan does not fit the map at the pose. */
    LOST
  }
}
