package org.cartostream.broker.registry;

/** A registry that cannot be used, or an id that is taken; the message is one sentence. */
public final class RegistryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegistryException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
