package org.cartostream.checkpoint;

import java.io.IOException;

/**
 * Thrown if a checkpoint cannot be used; the message says which checkpoint, why, and what would be
 * right.
 */
public final class CheckpointException extends IOException {

  private static final long serialVersionUID = 1L;

  public CheckpointException(String message) {
    super(message);
  }

  public CheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
