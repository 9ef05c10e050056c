package org.cartostream.broker;

import org.cartostream.slam.sensor.Refusal;

/** Reasons for which a message is not taken from the broker, or not given to it. */
public enum BrokerRefusal implements Refusal {
  GARBAGE("The message is no message of Cartostream"),
  TRUNCATED("The message ends before its header says it does"),
  TOO_LARGE("The message is larger than broker.maxMessageBytes allows"),
  NO_ROOM("The message comes in pieces, and too many others do at the moment"),
  DROPPED("The service had no room for a message, which is sent again"),
  OTHER_VERSION(
      "The message is of another version of the protocol, which this side does not understand"),
  UNKNOWN_TYPE("The message is of a kind that this side does not know"),
  BAD_VALUE("The message holds a value that makes no sense"),
  OTHER_SENDER("The message names another robot than its routing key does"),
  HEADERS("The message has large headers, or some that send it to others, too (CC, BCC)"),
  BAD_ROBOT_ID("A robot's id is 1 to 64 letters, digits, '-' and '_'");

  private final String sentence;

  BrokerRefusal(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }

  /** Returns an exception with this refusal, caused by {@code detail}: the offending value. */
  public RefusedMessageException exception(String detail) {
    return new RefusedMessageException(because(detail));
  }
}
