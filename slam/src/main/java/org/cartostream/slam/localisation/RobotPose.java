package org.cartostream.slam.localisation;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.trajectory.Correction;

/**
 * The pose of a robot at a reading, estimated from all of its filter's particles, with the
 * estimate's uncertainty. The record is sent through checkpoints, the broker and the gateway to all
 * displays.
 *
 * @param local the pose in the filter's own frame
 * @param correction the transform that carries {@code local} to the {@code map} frame
 * @param effectiveSampleSize Neff after the latest key frame, from 1 to the number of particles
 * @param entropy of the particles' weights after the latest key frame, nats
 * @param quality quality of the pose in a known map; null if the robot makes its map
 * @param covariance of the pose in the {@code map} frame, along its axes, square metres and
 *     radians; zero if unknown, as from a service of an older release
 */
public record RobotPose(
    Pose local,
    Correction correction,
    double effectiveSampleSize,
    double entropy,
    LocalisationQuality quality,
    SymmetricMatrix3 covariance) {

  public RobotPose {
    covariance = covariance == null ? SymmetricMatrix3.ZERO : covariance;
  }

  /** Creates the pose of a robot that makes its map. */
  public RobotPose(Pose local, Correction correction, double effectiveSampleSize, double entropy) {
    this(local, correction, effectiveSampleSize, entropy, null, null);
  }

  /** Returns a copy with the quality of the pose, for a robot in a known map. */
  public RobotPose withQuality(LocalisationQuality known) {
    return new RobotPose(local, correction, effectiveSampleSize, entropy, known, covariance);
  }

  /** Returns a copy with the covariance of the pose. */
  public RobotPose withCovariance(SymmetricMatrix3 known) {
    return new RobotPose(local, correction, effectiveSampleSize, entropy, quality, known);
  }

  /** True if the covariance is known. */
  public boolean hasCovariance() {
    return covariance.xx() > 0;
  }

  /** Returns the pose in the {@code map} frame. */
  public Pose inMap() {
    return correction.apply(local);
  }
}
