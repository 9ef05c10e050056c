package org.cartostream.slam.file;

import java.io.IOException;

/**
 * A file is not what its reader reads. The message names the file, what it holds, what it needs.
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
