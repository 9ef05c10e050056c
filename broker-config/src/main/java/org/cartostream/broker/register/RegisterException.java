package org.cartostream.broker.register;

/** The register cannot be used, or an id is taken; the message says why in one sentence. */
public final class RegisterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegisterException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
