package org.cartostream.gateway.ros.bag;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;

/**
 * Selects the transforms of a bag that are used. Several topics may have frames with the same
 * names, as those of two robots do ({@code /robot1/tf} and {@code /robot2/tf}); then one topic is
 * selected for odometry, and its frames are taken only from this topic and its {@code _static}.
 *
 * <p>Owns the frames of each topic, and which topic is taken.
 */
final class BagTransforms {

  private static final String STATIC = "_static";

  private final String odomFrame;
  private final Map<String, Set<String>> framesByTopic = new HashMap<>();
  private final Set<String> odometries = new TreeSet<>();
  private String taken = "";
  private Set<String> framesOfTaken = Set.of();

  BagTransforms(String odomFrame) {
    this.odomFrame = TransformTree.name(odomFrame);
  }

  /** True if a topic's transforms are static, by its name. */
  static boolean isFixed(String topic) {
    return topic.endsWith("/tf" + STATIC);
  }

  /** Registers a message's frames. */
  void add(String topic, TfMessage message) {
    Set<String> frames = framesByTopic.computeIfAbsent(topic, any -> new HashSet<>());
    for (TransformStamped each : message.transforms()) {
      frames.add(TransformTree.name(each.childFrameId()));
      if (!isFixed(topic) && isOdometry(each)) {
        odometries.add(topic);
      }
    }
  }

  /** True if a transform is odometry: its parent is the odometry frame. */
  boolean isOdometry(TransformStamped transform) {
    return TransformTree.name(transform.header().frameId()).equals(odomFrame);
  }

  /** Returns the topics whose transforms include odometry. */
  Set<String> odometries() {
    return odometries;
  }

  /** Selects the only topic of transforms from which odometry is taken. */
  void select(String topic) {
    taken = topic;
    framesOfTaken = new HashSet<>(framesByTopic.getOrDefault(topic, Set.of()));
    framesOfTaken.addAll(framesByTopic.getOrDefault(topic + STATIC, Set.of()));
  }

  /** Returns a message with only those transforms that are used. */
  TfMessage filter(String topic, TfMessage message) {
    if (taken.isEmpty() || topic.equals(taken) || topic.equals(taken + STATIC)) {
      return message;
    }
    List<TransformStamped> used = new ArrayList<>(message.transforms());
    used.removeIf(
        each ->
            (!isFixed(topic) && isOdometry(each))
                || framesOfTaken.contains(TransformTree.name(each.childFrameId())));
    return new TfMessage(used);
  }
}
