package org.cartostream.slam.motion;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * A statement of where a robot is in a known map, as an operator makes it in RViz. {@link At} and
 * {@link Anywhere} place its particles anew, and their former weights are dropped. A robot that
 * makes its own map can only be placed {@link At} a pose.
 */
public sealed interface InitialPose {

  /**
   * Statement that the robot is near a pose. The errors are independent of each other.
   *
   * @param pose of the base in the {@code map} frame
   * @param x standard deviation along the map's x axis, metres
   * @param y standard deviation along the map's y axis, metres
   * @param heading standard deviation of the heading, radians
   */
  record At(Pose pose, double x, double y, double heading) implements InitialPose {

    /** Greatest coordinate that is accepted, metres. */
    private static final double MAX = 1e7;

    public At {
      boolean isPose = pose.isFinite() && StrictMath.hypot(pose.x(), pose.y()) <= MAX;
      if (!isPose || !isDeviation(x) || !isDeviation(y) || !isDeviation(heading)) {
        throw new IllegalArgumentException(
            "the robot cannot be placed at %s with deviations of %s m, %s m and %s rad: all must be finite, and none below 0"
                .formatted(pose, x, y, heading));
      }
    }

    /** Returns a statement with the deviations that RViz gives a pose: 0.5 m, 15 degrees. */
    public static At pointedAt(Pose pose) {
      return new At(pose, 0.5, 0.5, StrictMath.toRadians(15));
    }

    private static boolean isDeviation(double value) {
      return value >= 0 && value <= MAX;
    }
  }

  /** Statement that the pose is unknown: the robot is searched for everywhere. */
  record Anywhere() implements InitialPose {}

  /**
   * Request to weigh the particles although the robot has not moved (amcl's {@code
   * request_nomotion_update}); states no pose.
   */
  record Unmoved() implements InitialPose {}

  /**
   * Returns which of two statements since the last reading counts: {@code later}, unless it is
   * {@link Unmoved}, else this one.
   */
  default InitialPose then(InitialPose later) {
    return later instanceof Unmoved ? this : later;
  }

  /** Returns the placement at the beginning of a run: around a stated pose, or anywhere. */
  static InitialPose of(LocalisationSettings settings, Optional<Pose> start) {
    double metres = settings.sigmaStartMetres();
    return start.isPresent()
        ? new At(start.get(), metres, metres, settings.sigmaStartRadians())
        : new Anywhere();
  }
}
