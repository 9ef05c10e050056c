package org.cartostream.web.playback;

import org.cartostream.ros.bag.McapReader;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.web.topic.Counters;

/**
 * One reading of a recorded run, and what was known before the next one came.
 *
 * @param pose as the robot was told it; that of the step before if the reading has none, and null
 *     if no step has had one
 * @param covariance where that pose stands with its covariance; null if it is not known
 * @param counters with its outcome; null if it had none
 * @param scan where its scan stands
 */
record RecordedReading(
    long stampNanos,
    Pose pose,
    McapReader.Place covariance,
    Counters counters,
    Newest newest,
    McapReader.Place scan) {

  /**
   * Numbers of the newest messages of a kind, from 0; -1 if there was none yet.
   *
   * @param cloud with particles
   * @param loops with loop edges
   */
  record Newest(int map, int cloud, int loops) {}
}
