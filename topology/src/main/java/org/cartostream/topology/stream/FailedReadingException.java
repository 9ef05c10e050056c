package org.cartostream.topology.stream;

import java.util.function.Supplier;

/** Failure at another reading than that of the message that was being handled. */
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

  /** Number of the reading. */
  public long reading() {
    return reading;
  }
}
