package org.cartostream.checkpoint;

/**
 * Thrown if bytes are no state that this program may read. The message is a clause that gives the
 * reason.
 */
final class StateRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  StateRefusedException(String sentence, Object... figures) {
    super(sentence.formatted(figures));
  }
}
