package org.cartostream.slam.localisation;

import java.util.Objects;

/**
 * The quality of a pose in a known map: how well the scan fits there, and how sure the particles
 * are of it.
 *
 * @param fit share of what the beams meet that stands in the map, 0 to 1: of this scan, or the mean
 *     over some ten, whichever is less
 * @param deviationMetres how far the particles lie around the pose: the root of their mean squared
 *     distance, those of other places left out
 * @param deviationRadians the same of their headings
 * @param share of the particles' weight at this place, 0 to 1
 * @param state what that means
 */
public record LocalisationQuality(
    double fit, double deviationMetres, double deviationRadians, double share, State state) {

  public LocalisationQuality {
    Objects.requireNonNull(state, "state");
  }

  /** Usability of a pose. */
  public enum State {
    /** The robot is there. */
    OK,
    /**
     * The robot may as well be elsewhere: a tenth or more of the weight is at other places, or it
     * was looked for everywhere and has seen one place only.
     */
    AMBIGUOUS,
    /** The laser sees what the map does not have there. */
    LOST
  }
}
