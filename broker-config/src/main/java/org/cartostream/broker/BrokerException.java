package org.cartostream.broker;

/** The broker cannot be used; the message says in one sentence why, without any password. */
public final class BrokerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BrokerException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
