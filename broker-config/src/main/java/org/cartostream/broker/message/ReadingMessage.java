package org.cartostream.broker.message;

import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/**
 * One reading, robot to service. It crosses bit for bit, so that every engine sees the same.
 *
 * <p>What an operator says of a robot that is localised goes with the reading that comes next: so
 * it has its place among the readings, is durable with them, and counts alike when they come again.
 *
 * @param heldMap version of the map that the robot's side holds ({@link MapMessage}); 0 for none
 * @param knownMap with a run's first reading the map that the robot is to be found in; null if it
 *     makes one, and with later readings
 * @param initialPose where the robot is at this reading, or at the next one that can be used; null
 *     if nothing was said. A robot that makes a map says where it was carried to, by {@link
 *     InitialPose.At} alone, in the frame of the filter's own poses
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

  /** Returns the message of a robot that holds another version of the map. */
  public ReadingMessage withHeldMap(long version) {
    return new ReadingMessage(reading, version, knownMap, initialPose);
  }

  /** Creates the message of a robot that holds no map, without a statement about a known map. */
  public ReadingMessage(Reading reading) {
    this(reading, 0, null, null);
  }
}
