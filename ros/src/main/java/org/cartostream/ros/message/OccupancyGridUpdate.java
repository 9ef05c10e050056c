package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code map_msgs/OccupancyGridUpdate}: a rectangle of a map that has changed.
 *
 * @param x column of its lower left cell in the map
 * @param y row of that cell
 * @param width cells
 * @param height cells
 * @param data row-major from the lower left: -1 unknown, else percent occupied
 */
public record OccupancyGridUpdate(
    Header header, int x, int y, long width, long height, byte[] data) {

  public static final MessageType<OccupancyGridUpdate> TYPE =
      MessageType.of("map_msgs/OccupancyGridUpdate", OccupancyGridUpdate.class);
}
