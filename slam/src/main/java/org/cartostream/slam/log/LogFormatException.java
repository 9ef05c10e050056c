package org.cartostream.slam.log;

import java.io.IOException;

/**
 * A file is not what its reader reads. The message names the file, what it holds, what it needs.
 */
public final class LogFormatException extends IOException {

  private static final long serialVersionUID = 1;

  public LogFormatException(String message) {
    super(message);
  }

  public LogFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
