package org.cartostream.broker.message;

import org.cartostream.slam.sensor.Reading;

/**
 * One reading, robot to service. It crosses bit for bit, so that every engine sees the same.
 *
 * @param heldMap version of the map that the robot's side holds ({@link MapMessage}); 0 for none
 */
public record ReadingMessage(Reading reading, long heldMap) implements Message {

  public ReadingMessage {
    MapMessage.checkVersion(heldMap);
  }

  /** From a robot that holds no map. */
  public ReadingMessage(Reading reading) {
    this(reading, 0);
  }
}
