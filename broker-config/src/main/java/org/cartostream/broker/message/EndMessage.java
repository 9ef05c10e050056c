package org.cartostream.broker.message;

/**
 * End of a run's readings, robot to service. The service tells the outcomes that are still missing,
 * then sends trajectory, map and report.
 *
 * @param readings number of readings that the run sent in all, which is the number of the last one
 * @param heldMap version of the map that the robot's side holds ({@link MapMessage}); 0 for none
 */
public record EndMessage(long readings, long heldMap) implements Message {

  public EndMessage {
    if (readings < 0) {
      throw new IllegalArgumentException("a run cannot end after " + readings + " readings");
    }
    MapMessage.checkVersion(heldMap);
  }
}
