package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code rosgraph_msgs/Clock}: simulated time.
 *
 * @param clock nanoseconds
 */
public record Clock(long clock) {

  public static final MessageType<Clock> TYPE = MessageType.of("rosgraph_msgs/Clock", Clock.class);
}
