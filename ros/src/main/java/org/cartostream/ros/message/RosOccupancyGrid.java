package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code nav_msgs/OccupancyGrid}.
 *
 * @param data row-major from the lower left: -1 unknown, else percent occupied
 */
public record RosOccupancyGrid(Header header, MapMetaData info, byte[] data) {

  public static final MessageType<RosOccupancyGrid> TYPE =
      MessageType.of("nav_msgs/OccupancyGrid", RosOccupancyGrid.class);
}
