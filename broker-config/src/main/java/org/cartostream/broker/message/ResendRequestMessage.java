package org.cartostream.broker.message;

/**
 * Request for readings that the service lacks, service to robot: the robot's side must send them
 * again, or say that they are gone ({@link UnavailableMessage}).
 *
 * @param first number of the first missing reading, from 1
 * @param last number of the last reading that is requested; more may be missing
 */
public record ResendRequestMessage(long first, long last) implements Message {

  public ResendRequestMessage {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "the numbers " + first + " to " + last + " are not those of readings in order, from 1");
    }
  }
}
