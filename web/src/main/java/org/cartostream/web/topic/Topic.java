package org.cartostream.web.topic;

import java.util.Optional;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Marker;
import org.cartostream.ros.message.OccupancyGridUpdate;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosLog;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPath;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;

/**
 * Topic of a run, by ROS's name where ROS has one. Its messages are those of ROS 2 in CDR, or JSON
 * objects.
 */
public enum Topic {
  /** Scan of each reading, in the frame of the laser. */
  SCAN("/scan", LaserScan.TYPE),
  /**
   * Transforms {@code odom} to {@code base_link}, and {@code map} to {@code odom} if the reading
   * has a pose.
   */
  TF("/tf", TfMessage.TYPE),
  /** Transform {@code base_link} to {@code laser}. */
  TF_STATIC("/tf_static", TfMessage.TYPE),
  /** Pose that the robot was told. */
  POSE("/cartostream/pose", PoseStamped.TYPE),
  /** The same pose with its covariance, where that is known: slam_toolbox's topic. */
  SURE_POSE("/pose", PoseWithCovarianceStamped.TYPE),
  /** Whole path, at the end. */
  PATH("/cartostream/path", RosPath.TYPE),
  /** Whole maps, of which the last is the run's map. */
  MAP("/map", RosOccupancyGrid.TYPE),
  /** Changes of the map since the last whole map or update. */
  MAP_UPDATES("/map_updates", OccupancyGridUpdate.TYPE),
  /** Refusals, corrections, jumps and the link's troubles, one sentence each. */
  LOG("/rosout", RosLog.TYPE),
  /** Counts of readings, Neff and times, with each outcome: {@link Counters}. */
  COUNTERS("/cartostream/counters", null),
  /** Some of the particles, all with the same weight. */
  PARTICLES("/cartostream/particles", PoseArray.TYPE),
  /** Tasks that weighed the particles: {@link ParticleTasks}. */
  PARTICLE_TASKS("/cartostream/particle_tasks", null),
  /**
   * Loop edges by which poses are corrected, as lines; they replace those of the message before.
   */
  LOOPS("/cartostream/loops", Marker.TYPE),
  /** State of the map's cells after each message that changes them: {@link MapState}. */
  MAP_STATE("/cartostream/map_state", null);

  private final String topic;
  private final MessageType<?> type;

  Topic(String topic, MessageType<?> type) {
    this.topic = topic;
    this.type = type;
  }

  /** Returns the topic's name. */
  public String topic() {
    return topic;
  }

  /** Quality of service with which a gateway offers it. */
  public TopicQos qos() {
    return this == MAP || this == TF_STATIC ? TopicQos.LATCHED : TopicQos.RELIABLE;
  }

  /**
   * Returns the type of the topic's messages; empty if they are JSON objects, which describe
   * themselves.
   */
  public Optional<MessageType<?>> type() {
    return Optional.ofNullable(type);
  }
}
