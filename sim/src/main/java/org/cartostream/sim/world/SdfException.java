package org.cartostream.sim.world;

/**
 * Thrown if a file is not in SDF, or contains something that cannot be simulated. The message names
 * the fault in one sentence.
 */
public final class SdfException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SdfException(String sentence) {
    super(sentence);
  }

  SdfException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
