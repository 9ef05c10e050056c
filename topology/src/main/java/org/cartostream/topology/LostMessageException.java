package org.cartostream.topology;

/**
 * A message did not come that must have been sent: a process died, or a link was cut. Nothing is
 * wrong with the run, which can be restored as often as that happens.
 */
final class LostMessageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LostMessageException(String message) {
    super(message);
  }
}
