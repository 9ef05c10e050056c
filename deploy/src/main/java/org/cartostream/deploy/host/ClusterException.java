package org.cartostream.deploy.host;

/** Thrown if a cluster cannot do what it is asked to; the message is a sentence for people. */
public final class ClusterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean isWrongValue;

  public ClusterException(String sentence) {
    this(sentence, null);
  }

  public ClusterException(String sentence, Throwable cause) {
    this(sentence, cause, false);
  }

  private ClusterException(String sentence, Throwable cause, boolean isWrongValue) {
    super(sentence, cause);
    this.isWrongValue = isWrongValue;
  }

  /**
   * Returns the exception for a value of an option, or in a file of hosts, that cannot be right.
   */
  public static ClusterException wrongValue(String sentence) {
    return wrongValue(sentence, null);
  }

  public static ClusterException wrongValue(String sentence, Throwable cause) {
    return new ClusterException(sentence, cause, true);
  }

  /** Returns true if the user has to give another value. */
  public boolean isWrongValue() {
    return isWrongValue;
  }
}
