package org.cartostream.ros.message;

/**
 * {@code std_msgs/Header}.
 *
 * @param seq consecutive; receivers do not rely on it
 * @param stamp nanoseconds since 1970-01-01 UTC by the sender's clock
 * @param frameId without a leading slash
 */
public record Header(long seq, long stamp, String frameId) {}
