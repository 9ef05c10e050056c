package org.cartostream.gateway.live;

import org.cartostream.slam.sensor.Reading;

/**
 * Search for the place where a robot's run begins, by its first key frames, which wait in the
 * {@link Backlog} until the search is over. The thread of {@link LiveGateway#run} uses it.
 */
public interface RunStartSearch {

  /**
   * Returns the state of the search as a sentence for people; a changed sentence is shown to them.
   */
  String sentence();

  /** Searches by the next key frame; true if the robot is now found. */
  boolean isFoundAt(Reading keyFrame);

  /**
   * Follows the robot that was found back to its first key frame.
   *
   * @param keyFrame at first the key frame at which the robot was found, then the one before it,
   *     and so on
   * @return false if the robot's place at this key frame is not in the map or cannot be determined;
   *     then the run begins behind this key frame, and this method is not called again
   */
  boolean followBack(Reading keyFrame);

  /**
   * Called when the run begins.
   *
   * @param run number of the run
   */
  void begin(long run);
}
