package org.cartostream.slam.eval;

/** A trajectory cannot be measured by what is given. The message says what does not fit. */
public final class EvaluationException extends Exception {

  private static final long serialVersionUID = 1;

  public EvaluationException(String message) {
    super(message);
  }
}
