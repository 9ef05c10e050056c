package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code nav_msgs/MapMetaData}.
 *
 * @param mapLoadTime nanoseconds since 1970-01-01 UTC
 * @param resolution metres per cell
 * @param width cells
 * @param height cells
 * @param origin pose of cell (0, 0) in the map's frame
 */
public record MapMetaData(
    long mapLoadTime, float resolution, long width, long height, RosPose origin) {

  public static final MessageType<MapMetaData> TYPE =
      MessageType.of("nav_msgs/MapMetaData", MapMetaData.class);
}
