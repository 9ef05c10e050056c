package org.cartostream.slam.trajectory.tree;

import java.util.function.IntFunction;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Estimate of the robot's pose at one key frame: the weighted mean of all particles. No other pose
 * has a smaller expected square of its error, and when the best particle changes, the mean hardly
 * moves.
 *
 * <p>Beyond the particles' own motion, only new weights move the mean. A robot that steers by the
 * pose must not be moved far at once: so the pose that the robot is told follows the mean by at
 * most {@code maxShiftMetres} per key frame. A pure function of the weights given to it.
 *
 * @param logLikelihoods log likelihood of each particle since the latest resampling, as in the
 *     {@link Resampler}
 * @param mean mean of all particles, in the filter's own frame
 * @param pose the pose that the robot is told, which follows the mean
 */
record PoseEstimate(double[] logLikelihoods, Pose mean, Pose pose) {

  /** Returns the estimate when all particles are at one pose. */
  static PoseEstimate at(Pose pose, int particles) {
    return new PoseEstimate(new double[particles], pose, pose);
  }

  /** Returns the estimate at the next key frame. */
  PoseEstimate after(ParticleWeights all, Resampling resampling, FilterSettings filterSettings) {
    double[] weights = weights(filterSettings);
    Pose moved = mean(weights, all::pose); // As if nothing were known of how the scan fits.
    double[] logs = new double[resampling.parents().length];
    for (int i = 0; i < logs.length && !resampling.resampled(); i++) {
      logs[i] = logLikelihoods[i] + all.logLikelihoods()[i];
    }
    PoseEstimate next = new PoseEstimate(logs, mean, pose.then(mean.to(moved)));
    return next.towards(i -> all.pose(resampling.parents()[i]), filterSettings);
  }

  private PoseEstimate towards(IntFunction<Pose> particles, FilterSettings filterSettings) {
    Pose to = mean(weights(filterSettings), particles);
    double metres = pose.distance(to);
    double max = filterSettings.maxShiftMetres();
    return new PoseEstimate(
        logLikelihoods, to, metres <= max ? to : pose.towards(to, max / metres));
  }

  /** The particles' weights, of sum 1. */
  double[] weights(FilterSettings filterSettings) {
    return Resampler.weights(logLikelihoods, filterSettings.weightShare());
  }

  /** Returns the second moment of all particles about {@link #pose}. */
  SymmetricMatrix3 spread(FilterSettings filterSettings, IntFunction<Pose> particles) {
    double[] weights = weights(filterSettings);
    SymmetricMatrix3 spread = SymmetricMatrix3.ZERO;
    for (int i = 0; i < weights.length; i++) {
      Pose each = particles.apply(i);
      SymmetricMatrix3 off =
          SymmetricMatrix3.square(
              each.x() - pose.x(), each.y() - pose.y(), Pose.wrap(each.theta() - pose.theta()));
      spread = spread.plus(off.times(weights[i]));
    }
    return spread;
  }

  /**
   * Returns the mean of poses with weights of sum 1. If all poses are equal, the mean equals them
   * to the last bit.
   */
  static Pose mean(double[] weights, IntFunction<Pose> poses) {
    Pose first = poses.apply(0);
    double x = 0;
    double y = 0;
    double theta = 0;
    for (int i = 1; i < weights.length; i++) {
      Pose each = poses.apply(i);
      x += weights[i] * (each.x() - first.x());
      y += weights[i] * (each.y() - first.y());
      theta += weights[i] * Pose.wrap(each.theta() - first.theta());
    }
    return new Pose(first.x() + x, first.y() + y, Pose.wrap(first.theta() + theta));
  }
}
