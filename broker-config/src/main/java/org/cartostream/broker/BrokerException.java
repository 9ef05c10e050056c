package org.cartostream.broker;

/** A broker that cannot be used; the message is one sentence, without any password. */
public final class BrokerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public BrokerException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
