package org.cartostream.web.playback;

import org.cartostream.ros.bag.McapReader;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.web.topic.Counters;

/**
 * Reading of a recorded run, with the state of the run before the next reading came.
 *
 * @param pose pose that the robot was told; that of the step before if the reading has none, and
 *     null if no step has had a pose yet
 * @param counters counters recorded with the reading's outcome; null if it had no outcome
 * @param scan place of the reading's scan in the file
 */
record RecordedReading(
    long stampNanos, Pose pose, Counters counters, Newest newest, McapReader.Place scan) {

  /**
   * Numbers of the newest messages by kind, from 0; -1 if there was none yet.
   *
   * @param map number of a map or map update
   * @param cloud number of a message with particles
   * @param loops number of a message with loop edges
   */
  record Newest(int map, int cloud, int loops) {}
}
