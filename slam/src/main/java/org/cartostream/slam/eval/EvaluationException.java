package org.cartostream.slam.eval;

/**
 * Thrown if a trajectory cannot be evaluated with the given reference. The message says which part
 * of trajectory and reference does not fit.
 */
public final class EvaluationException extends Exception {

  private static final long serialVersionUID = 1;

  public EvaluationException(String message) {
    super(message);
  }
}
