package org.cartostream.broker.message;

import java.util.Objects;

/**
 * Notice that the service dropped a message of the robot's at its gate, service to robot. The
 * envelope carries the number of that message. This is no outcome: the robot's side sends the
 * message again, and now knows why it gets no answer.
 *
 * @param why sentence for people: for which bound the message was dropped
 */
public record DroppedMessage(String why) implements Message {

  public DroppedMessage {
    Objects.requireNonNull(why, "why");
  }
}
