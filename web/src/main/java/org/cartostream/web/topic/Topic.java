package org.cartostream.web.topic;

import java.util.Optional;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Marker;
import org.cartostream.ros.message.OccupancyGridUpdate;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.RosLog;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosPath;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;

/**
 * A topic of a run, by ROS's names where ROS has one: messages of ROS 2 in CDR, or JSON objects.
 */
public enum Topic {
  /** Each reading's scan, in the frame of the laser. */
  SCAN("/scan", LaserScan.TYPE),
  /** {@code map} to {@code odom} to {@code base_link}, of each reading that has a pose. */
  TF("/tf", TfMessage.TYPE),
  /** {@code base_link} to {@code laser}. */
  TF_STATIC("/tf_static", TfMessage.TYPE),
  /** The pose that the robot was told. */
  POSE("/cartostream/pose", PoseStamped.TYPE),
  /** The whole path, at the end. */
  PATH("/cartostream/path", RosPath.TYPE),
  /** Whole maps, of which the last is the run's map. */
  MAP("/map", RosOccupancyGrid.TYPE),
  /** Changes since the last whole map or update. */
  MAP_UPDATES("/map_updates", OccupancyGridUpdate.TYPE),
  /** Refusals, corrections, jumps and the link's troubles, a sentence each. */
  LOG("/rosout", RosLog.TYPE),
  /** Counts of readings, Neff and times, with each outcome: {@link Counters}. */
  COUNTERS("/cartostream/counters", null),
  /** Some of the particles, each of which counts alike. */
  PARTICLES("/cartostream/particles", PoseArray.TYPE),
  /** The task that weighed each of them: {@link ParticleTasks}. */
  PARTICLE_TASKS("/cartostream/particle_tasks", null),
  /** The loop edges by which poses are corrected: lines, in place of those before. */
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
   * Returns the type of its messages; empty if they are JSON objects, which describe themselves.
   */
  public Optional<MessageType<?>> type() {
    return Optional.ofNullable(type);
  }
}
