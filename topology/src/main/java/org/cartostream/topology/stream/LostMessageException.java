package org.cartostream.topology.stream;

/**
 * Thrown if a message that must have been sent did not arrive, because a process died or a
 * connection broke. The run itself is sound, and can be restored as often as that happens.
 */
public final class LostMessageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LostMessageException(String message) {
    super(message);
  }
}
