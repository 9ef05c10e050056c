package org.cartostream.web.server;

import java.nio.charset.StandardCharsets;

/**
 * The response to an HTTP request.
 *
 * @param status of HTTP
 * @param type of the content, as a media type
 */
record Answer(int status, String type, byte[] content) {

  static final String TEXT = "text/plain; charset=utf-8";

  /** A sentence for people. */
  static Answer text(int status, String sentence) {
    return new Answer(status, TEXT, (sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
