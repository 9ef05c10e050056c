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
 * The latest fault that Storm has logged, whether its log is shown or not: it ends the process by
 * itself, and tells only its log why. Memory that ran out is kept whatever comes of it.
 */
final class LibraryFaults extends TurboFilter {

  private static final String STORM = "org.apache.storm.";

  /** Beginning of Storm's last error message, which only says that it ends the process. */
  private static final String LAST = "Halting process";

  private Throwable latest;

  private LibraryFaults() {}

  /** Listens from now on. */
  static LibraryFaults listen() {
    LibraryFaults faults = new LibraryFaults();
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.addTurboFilter(faults);
    }
    return faults;
  }

  /** Returns where it begins: the cause of all other faults. */
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
