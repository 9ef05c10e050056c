package org.cartostream.gateway.live;

import org.cartostream.slam.sensor.Reading;

/**
 * Search for where a robot's run begins, by its first key frames, which wait in the {@link Backlog}
 * until it is over. The thread of {@link LiveGateway#run} uses it.
 */
public interface RunStartSearch {

  /** Returns how it stands, in a sentence for people; another one when they should know more. */
  String sentence();

  /** Takes the next key frame; true if the robot is found at it. */
  boolean isFoundAt(Reading keyFrame);

  /**
   * Follows the robot that was found back to its first key frame.
   *
   * @param keyFrame at first the one at which it was found, then the one before that, and so on
   * @return false if the map has no place for the robot at it, or it cannot be followed so far, so
   *     that the run begins behind it: then there is no more to follow
   */
  boolean followBack(Reading keyFrame);

  /**
   * The service can go on with the run from now on.
   *
   * @param run its number
   */
  void begin(long run);
}
