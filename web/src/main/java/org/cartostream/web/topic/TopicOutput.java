package org.cartostream.web.topic;

/** Takes a run's messages: a recording, or a connection. */
public interface TopicOutput {

  /**
   * The next message.
   *
   * @param stampNanos by the robot's clock, since 1970-01-01 UTC
   * @param message in CDR, or JSON in UTF-8; nobody writes to it any more
   */
  void send(Topic topic, long stampNanos, byte[] message);
}
