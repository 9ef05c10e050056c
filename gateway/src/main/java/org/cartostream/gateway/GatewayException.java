package org.cartostream.gateway;

/**
 * A failure of the gateway, such as a folder that cannot be written; the message is one sentence.
 */
public class GatewayException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public GatewayException(String sentence) {
    super(sentence);
  }

  public GatewayException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
