package org.cartostream.gateway.ros.message;

import org.cartostream.gateway.ros.client.MessageType;

/**
 * {@code nav_msgs/OccupancyGrid}.
 *
 * @param data row-major from the lower left: -1 unknown, else percent occupied
 */
public record OccupancyGridMessage(Header header, MapMetaData info, byte[] data) {

  public static final MessageType<OccupancyGridMessage> TYPE =
      MessageType.of("nav_msgs/OccupancyGrid", OccupancyGridMessage.class);
}
