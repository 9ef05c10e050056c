package org.cartostream.topology.stream;

/** Something failed at a reading that is another than that of the message that was handled. */
public final class FailedReadingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long reading;

  /**
   * @param reading its number
   * @param cause what failed
   */
  public FailedReadingException(long reading, Throwable cause) {
    super(cause);
    this.reading = reading;
  }

  /** Number of the reading. */
  public long reading() {
    return reading;
  }
}
