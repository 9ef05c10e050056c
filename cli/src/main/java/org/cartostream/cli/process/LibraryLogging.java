package org.cartostream.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Switches the libraries' logging on, and stack traces. {@code logback.xml} keeps it quiet. */
final class LibraryLogging {

  private static final String WITH_TRACES =
      "%d{HH:mm:ss.SSS} %-5level %logger{24}: %msg%n%ex{full}";

  private LibraryLogging() {}

  /** Lets everything from INFO upwards through. */
  static void enable() {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (factory instanceof LoggerContext context) {
      context
          .getLoggerList()
          .forEach(
              logger ->
                  logger.setLevel(
                      logger.getName().equals(Logger.ROOT_LOGGER_NAME) ? Level.INFO : null));
      context
          .getLogger(Logger.ROOT_LOGGER_NAME)
          .iteratorForAppenders()
          .forEachRemaining(LibraryLogging::showTraces);
    }
  }

  private static void showTraces(Appender<ILoggingEvent> appender) {
    if (appender instanceof OutputStreamAppender<ILoggingEvent> stream
        && stream.getEncoder() instanceof PatternLayoutEncoder encoder) {
      encoder.stop();
      encoder.setPattern(WITH_TRACES);
      encoder.start();
    }
  }
}
