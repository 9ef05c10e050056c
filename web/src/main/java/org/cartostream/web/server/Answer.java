package org.cartostream.web.server;

import java.nio.charset.StandardCharsets;

/**
 * Response to an HTTP request.
 *
 * @param status HTTP status code
 * @param type media type of the content
 */
record Answer(int status, String type, byte[] content) {

  static final String TEXT = "text/plain; charset=utf-8";

  /** Returns an answer of one sentence for people. */
  static Answer text(int status, String sentence) {
    return new Answer(status, TEXT, (sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
