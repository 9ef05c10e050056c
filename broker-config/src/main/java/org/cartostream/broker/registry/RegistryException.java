package org.cartostream.broker.registry;

/** Thrown if the registry cannot be used, or an id is taken. The message is one sentence. */
public final class RegistryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegistryException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
