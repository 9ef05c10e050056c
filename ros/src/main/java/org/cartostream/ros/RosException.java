package org.cartostream.ros;

/** ROS cannot be used as wished; the message says in one sentence why. */
public final class RosException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public RosException(String sentence) {
    super(sentence);
  }

  public RosException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
