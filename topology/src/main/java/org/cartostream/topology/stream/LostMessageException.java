package org.cartostream.topology.stream;

/**
 * Thrown if a message that must have been sent did not come: a process died, or a link was cut.
 * Nothing is wrong with the run, which can be restored as often as that happens.
 */
public final class LostMessageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LostMessageException(String message) {
    super(message);
  }
}
