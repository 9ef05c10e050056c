package org.cartostream.ros.bag;

import java.io.IOException;

/** A file that is no bag, or a damaged one. The message names the file and what is wrong. */
public final class BagFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  public BagFormatException(String message) {
    super(message);
  }

  public BagFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
