package org.cartostream.slam.localisation;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.Correction;

/**
 * The pose of a robot at a reading, by all of its filter's particles, and how sure they are of it.
 * This very record goes through checkpoints, the broker and the gateway to all who show it.
 *
 * @param local as the filter has it
 * @param correction that carries it to the {@code map} frame
 * @param effectiveSampleSize Neff after the latest key frame, from 1 to the number of particles
 * @param entropy of the particles' weights after the latest key frame, nats
 * @param quality how far the pose can be believed; null if the robot makes its map
 */
public record RobotPose(
    Pose local,
    Correction correction,
    double effectiveSampleSize,
    double entropy,
    LocalisationQuality quality) {

  /** Creates the pose of a robot that makes its map. */
  public RobotPose(Pose local, Correction correction, double effectiveSampleSize, double entropy) {
    this(local, correction, effectiveSampleSize, entropy, null);
  }

  /** Returns a copy with the quality of the pose, for a robot in a known map. */
  public RobotPose withQuality(LocalisationQuality known) {
    return new RobotPose(local, correction, effectiveSampleSize, entropy, known);
  }

  /** Returns the pose in the {@code map} frame. */
  public Pose inMap() {
    return correction.apply(local);
  }
}
