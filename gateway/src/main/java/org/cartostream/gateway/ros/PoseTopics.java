package org.cartostream.gateway.ros;

import java.util.List;
import java.util.Optional;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.ros.message.Float64;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.PoseWithCovariance;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.node.RosNode;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;

/**
 * The topics by which the robot's other nodes learn its pose and the filter's uncertainty. Owns the
 * newest pose.
 */
final class PoseTopics {

  private final RosSettings settings;
  private final RosNode.Publisher<PoseStamped> poses;

  /**
   * Publisher of the poses with covariances, on slam_toolbox's topic, or amcl's if the map is
   * known.
   */
  private final RosNode.Publisher<PoseWithCovarianceStamped> surePoses;

  private final RosNode.Publisher<Float64> neff;
  private final RosNode.Publisher<Float64> entropy;

  /** Topics of a robot in a known map; null if the robot makes its map. */
  private final LocalisationTopics localisation;

  /** The newest pose; null before the first. */
  private volatile RobotPose newest;

  PoseTopics(RosNode node, RosSettings settings, Optional<LocalisationAttachment> localisation) {
    this.settings = settings;
    poses = node.advertise("cartostream/pose", PoseStamped.TYPE, false);
    surePoses =
        node.advertise(
            localisation.isPresent() ? "amcl_pose" : "pose",
            PoseWithCovarianceStamped.TYPE,
            localisation.isPresent());
    neff = node.advertise("cartostream/neff", Float64.TYPE, false);
    entropy = node.advertise("cartostream/entropy", Float64.TYPE, false);
    this.localisation =
        localisation.map(known -> new LocalisationTopics(node, settings, known)).orElse(null);
  }

  /**
   * @param stampNanos stamp of the scan, nanoseconds by the robot's clock
   */
  void send(long stampNanos, RobotPose pose) {
    Header header = new Header(0, stampNanos, settings.mapFrame());
    RosPose rosPose = RigidTransform.of(pose.inMap()).rosPose();
    poses.send(new PoseStamped(header, rosPose));
    newest = pose;
    SymmetricMatrix3 sure = covariance(pose);
    if (sure.xx() > 0) {
      surePoses.send(
          new PoseWithCovarianceStamped(
              header,
              PoseWithCovariance.planar(
                  rosPose, sure.xx(), sure.xy(), sure.xt(), sure.yy(), sure.yt(), sure.tt())));
    }
    neff.send(new Float64(pose.effectiveSampleSize()));
    entropy.send(new Float64(pose.entropy()));
  }

  /**
   * Returns the covariance of a pose. A service of an older release sends only the spread of the
   * particles, which is then used for all directions.
   */
  private static SymmetricMatrix3 covariance(RobotPose pose) {
    LocalisationQuality quality = pose.quality();
    if (pose.hasCovariance() || quality == null) {
      return pose.covariance();
    }
    double ofAnAxis = quality.deviationMetres() * quality.deviationMetres() / 2;
    double ofYaw = quality.deviationRadians() * quality.deviationRadians();
    return SymmetricMatrix3.diagonal(ofAnAxis, ofAnAxis, ofYaw);
  }

  /** Publishes the particles of a robot that is localised. */
  void send(long stampNanos, List<Pose> particles) {
    if (localisation != null) {
      localisation.send(stampNanos, particles);
    }
  }

  /** The newest pose; null before the first. */
  RobotPose newest() {
    return newest;
  }
}
