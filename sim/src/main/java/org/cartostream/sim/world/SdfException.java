package org.cartostream.sim.world;

/** An SDF file is none, or has what cannot be simulated; the message names it in one sentence. */
public final class SdfException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SdfException(String sentence) {
    super(sentence);
  }

  SdfException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
