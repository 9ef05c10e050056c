package org.cartostream.ros;

/** A failure of ROS, or of what was asked of it; the message is one sentence. */
public final class RosException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public RosException(String sentence) {
    super(sentence);
  }

  public RosException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
