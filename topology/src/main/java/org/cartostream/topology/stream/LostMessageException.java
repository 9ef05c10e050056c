package org.cartostream.topology.stream;

/**
 * A message did not come that must have been sent: a process died, or a link was cut. Nothing is
 * wrong with the run, which can be restored as often as that happens.
 */
public final class LostMessageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LostMessageException(String message) {
    super(message);
  }
}
