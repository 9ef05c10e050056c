package org.cartostream.broker;

/**
 * Robot to service: nothing follows; answer what is open, then send trajectory, map and report.
 *
 * @param readings how many readings the run sent in all: the number of the last one
 */
public record EndMessage(long readings) implements Message {

  public EndMessage {
    if (readings < 0) {
      throw new IllegalArgumentException("a run cannot end after " + readings + " readings");
    }
  }
}
