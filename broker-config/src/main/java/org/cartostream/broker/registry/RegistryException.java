package org.cartostream.broker.registry;

/** The register cannot be used, or an id is taken; the message says why in one sentence. */
public final class RegistryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegistryException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
