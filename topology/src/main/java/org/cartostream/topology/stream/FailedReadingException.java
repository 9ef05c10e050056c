package org.cartostream.topology.stream;

import java.util.function.Supplier;

/**
 * Thrown if the service fails at a reading that may differ from the reading of the message being
 * handled.
 */
public final class FailedReadingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long reading;

  /**
   * @param reading number of the reading
   * @param cause exception that was thrown
   */
  public FailedReadingException(long reading, Throwable cause) {
    super(cause);
    this.reading = reading;
  }

  /**
   * Returns the result of {@code work}; an exception from it is wrapped as a failure at a reading.
   */
  public static <T> T naming(long reading, Supplier<T> work) {
    try {
      return work.get();
    } catch (FailedReadingException e) {
      throw e;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw new FailedReadingException(reading, e);
    }
  }

  /** Returns the number of the reading. */
  public long reading() {
    return reading;
  }
}
