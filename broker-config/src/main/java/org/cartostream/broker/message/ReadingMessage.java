package org.cartostream.broker.message;

import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/**
 * Reading of a robot, robot to service. It crosses bit for bit, so that every engine sees the same
 * values.
 *
 * <p>What an operator says about the pose of a localised robot is sent with the next reading: so it
 * has its place among the readings, is durable with them, and counts alike when they come again.
 *
 * @param heldMap version of the map that the robot's side holds ({@link MapMessage}); 0 for none
 * @param knownMap with a run's first reading, the map in which the robot is to be found; null if
 *     the robot makes a map, and with later readings
 * @param initialPose pose of the robot at this reading, or at the next one that can be used; null
 *     if nothing was said. Of no meaning where the robot makes a map
 */
public record ReadingMessage(
    Reading reading,
    long heldMap,
    @MustUnderstand PackedMap knownMap,
    @MustUnderstand InitialPose initialPose)
    implements Message {

  public ReadingMessage {
    MapMessage.checkVersion(heldMap);
  }

  /** Returns a copy for a robot that holds another version of the map. */
  public ReadingMessage withHeldMap(long version) {
    return new ReadingMessage(reading, version, knownMap, initialPose);
  }

  /** Creates the message of a robot that makes a map, and holds none yet. */
  public ReadingMessage(Reading reading) {
    this(reading, 0, null, null);
  }
}
