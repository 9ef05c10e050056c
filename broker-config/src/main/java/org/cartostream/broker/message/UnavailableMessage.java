package org.cartostream.broker.message;

/**
 * Notice from robot to service that readings will never come, because the robot's side no longer
 * has them.
 *
 * @param first number of the first such reading, from 1
 * @param last number of the last such reading
 */
public record UnavailableMessage(long first, long last) implements Message {

  public UnavailableMessage {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "the numbers " + first + " to " + last + " are not those of readings in order, from 1");
    }
  }
}
