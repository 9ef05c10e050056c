package org.cartostream.deploy.host;

/** Thrown if a cluster cannot do what it is asked to; the message is a sentence for people. */
public final class ClusterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ClusterException(String sentence) {
    super(sentence);
  }

  public ClusterException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
