package org.cartostream.slam.file;

import java.io.IOException;

/**
 * Thrown if a file is not in the format that its reader expects. The message names the file, what
 * it holds, what it needs.
 */
public final class FileFormatException extends IOException {

  private static final long serialVersionUID = 1;

  public FileFormatException(String message) {
    super(message);
  }

  public FileFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
