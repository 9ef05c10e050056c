package org.cartostream.gateway.ros;

import java.util.List;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.ros.RosException;
import org.cartostream.ros.message.Empty;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosParticle;
import org.cartostream.ros.message.RosParticleCloud;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.SetInitialPose;
import org.cartostream.ros.message.SetMap;
import org.cartostream.ros.node.RosNode;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics and services of amcl, for a robot in a known map: {@code initialpose} says where it is
 * (nav2: {@code set_initial_pose}, too), {@code global_localization} (nav2: {@code
 * reinitialize_global_localization}) that nobody knows, {@code request_nomotion_update} that the
 * particles are to be weighed though it stands, {@code set_map} that it is in another map; {@code
 * amcl_pose} tells where it was found, and {@code particlecloud} (nav2: {@code particle_cloud})
 * where its particles are.
 *
 * <p>A stated pose is sent with the robot's next scan. Thread-safe.
 */
final class LocalisationTopics {

  private static final Logger LOG = LoggerFactory.getLogger(LocalisationTopics.class);

  /** Index of the variance of x in the 36 covariances; of y and the heading below. */
  private static final int XX = 0;

  private static final int YY = 7;
  private static final int YAW = 35;

  private final LocalisationAttachment localisation;
  private final RosSettings settings;
  private final RosNode.Publisher<PoseArray> cloud;
  private final RosNode.Publisher<RosParticleCloud> nav2Cloud;

  LocalisationTopics(RosNode node, RosSettings settings, LocalisationAttachment localisation) {
    this.localisation = localisation;
    this.settings = settings;
    for (String name : List.of("global_localization", "reinitialize_global_localization")) {
      node.advertiseService(name, Empty.TYPE, request -> lookEverywhere());
    }
    cloud = node.advertise("particlecloud", PoseArray.TYPE, false);
    nav2Cloud = node.advertise("particle_cloud", RosParticleCloud.TYPE, false);
    node.advertiseService("request_nomotion_update", Empty.TYPE, request -> weighUnmoved());
    node.advertiseService("set_initial_pose", SetInitialPose.TYPE, this::place);
    node.advertiseService("set_map", SetMap.TYPE, this::setMap);
    node.subscribe("initialpose", PoseWithCovarianceStamped.TYPE, this::place);
  }

  private Empty.Response lookEverywhere() {
    LOG.info("the robot is looked for in all of the map, for somebody asked for it");
    localisation.place(new InitialPose.Anywhere());
    return new Empty.Response();
  }

  private Empty.Response weighUnmoved() {
    localisation.place(new InitialPose.Unmoved());
    return new Empty.Response();
  }

  private void place(PoseWithCovarianceStamped message) {
    try {
      placeAt(message);
    } catch (IllegalArgumentException e) {
      LOG.warn("a message on initialpose is not used: {}", e.getMessage());
    }
  }

  /** Places the robot. A refused pose is only logged: the answer has no field for an error. */
  private SetInitialPose.Response place(SetInitialPose.Request request) {
    try {
      placeAt(request.pose());
      return new SetInitialPose.Response();
    } catch (IllegalArgumentException e) {
      LOG.warn("a call of set_initial_pose is not used: {}", e.getMessage());
      throw new RosException(e.getMessage(), e);
    }
  }

  private void placeAt(PoseWithCovarianceStamped message) {
    InitialPose.At where = initialPose(message, localisation.map());
    localisation.place(where);
    LOG.info("the robot is said to be at {}", where.pose());
  }

  private SetMap.Response setMap(SetMap.Request request) {
    try {
      ServerMap map = MapServer.map(request.map());
      InitialPose.At where = initialPose(request.initialPose(), map);
      localisation.replace(map, where);
      LOG.info("the robot is said to be at {} in another map", where.pose());
      return new SetMap.Response(true);
    } catch (IllegalArgumentException e) {
      LOG.warn("a call of set_map is not used: {}", e.getMessage());
      return new SetMap.Response(false);
    }
  }

  private InitialPose.At initialPose(PoseWithCovarianceStamped message, ServerMap map) {
    String frame = TransformTree.name(message.header().frameId());
    if (!frame.equals(TransformTree.name(settings.mapFrame()))) {
      throw new IllegalArgumentException(
          "it is in the frame '%s', and must be in '%s'".formatted(frame, settings.mapFrame()));
    }
    RigidTransform pose = RigidTransform.of(message.pose().pose());
    if (!pose.isValid()) {
      throw new IllegalArgumentException("its pose is none: " + pose.whyInvalid());
    }
    double[] covariance = message.pose().covariance();
    InitialPose.At where =
        new InitialPose.At(
            pose.planar(), root(covariance[XX]), root(covariance[YY]), root(covariance[YAW]));
    map.requireFreePlace(where.pose());
    return where;
  }

  /**
   * Returns the standard deviation of a variance; NaN of an invalid variance, which is refused
   * later.
   */
  private static double root(double variance) {
    return StrictMath.sqrt(variance);
  }

  /** Publishes the particles, all with the same weight. */
  void send(long stampNanos, List<Pose> particles) {
    Header header = new Header(0, stampNanos, settings.mapFrame());
    List<RosPose> all = particles.stream().map(pose -> RigidTransform.of(pose).rosPose()).toList();
    cloud.send(new PoseArray(header, all));
    double weight = 1.0 / all.size();
    nav2Cloud.send(
        new RosParticleCloud(
            header, all.stream().map(pose -> new RosParticle(pose, weight)).toList()));
  }
}
