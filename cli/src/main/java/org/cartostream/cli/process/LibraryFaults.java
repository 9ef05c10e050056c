package org.cartostream.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Filter of the log that keeps the latest fault that Storm has logged, even if the log is not
 * shown. It is needed because Storm ends the process on a fault and only logs the reason. A fault
 * of memory that ran out is never replaced by a later one.
 */
final class LibraryFaults extends TurboFilter {

  private static final String STORM = "org.apache.storm.";

  /** Beginning of Storm's last error message, which only says that it ends the process. */
  private static final String LAST = "Halting process";

  private Throwable latest;

  private LibraryFaults() {}

  /** Adds a new filter to the log and returns it. */
  static LibraryFaults listen() {
    LibraryFaults faults = new LibraryFaults();
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.addTurboFilter(faults);
    }
    return faults;
  }

  /** Returns the root cause of the latest fault; empty if there is none. */
  synchronized Optional<Throwable> latest() {
    return Optional.ofNullable(latest);
  }

  @Override
  public FilterReply decide(
      Marker marker, Logger logger, Level level, String text, Object[] values, Throwable fault) {
    if (fault != null
        && level.isGreaterOrEqual(Level.ERROR)
        && logger.getName().startsWith(STORM)) {
      record(root(fault));
    }
    return FilterReply.NEUTRAL;
  }

  private synchronized void record(Throwable cause) {
    boolean isLast = String.valueOf(cause.getMessage()).startsWith(LAST);
    if (!(latest instanceof OutOfMemoryError) && !(isLast && latest != null)) {
      latest = cause;
    }
  }

  private static Throwable root(Throwable fault) {
    Throwable root = fault;
    while (root.getCause() != null && !(root instanceof OutOfMemoryError)) {
      root = root.getCause();
    }
    return root;
  }
}
