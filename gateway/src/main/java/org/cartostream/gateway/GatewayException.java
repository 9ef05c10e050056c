package org.cartostream.gateway;

/** The gateway cannot do what it should; the message says in one sentence why. */
public final class GatewayException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public GatewayException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
