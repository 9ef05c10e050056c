package org.cartostream.broker;

/** Thrown if a broker cannot be used. The message is one sentence, without any password. */
public final class BrokerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BrokerException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
