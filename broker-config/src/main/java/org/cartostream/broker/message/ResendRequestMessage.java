package org.cartostream.broker.message;

/**
 * The service lacks readings, service to robot: the robot's side is to send them again, or to say
 * that they are gone ({@link UnavailableMessage}).
 *
 * @param first number of the first that is missing, from 1
 * @param last number of the last of those that are asked for; more may be missing
 */
public record ResendRequestMessage(long first, long last) implements Message {

  public ResendRequestMessage {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "the numbers " + first + " to " + last + " are not those of readings in order, from 1");
    }
  }
}
