package org.cartostream.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Switch for the libraries' logging and for stack traces. By default {@code logback.xml} suppresses
 * their output.
 */
final class LibraryLogging {

  private static final String WITH_TRACES =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{24}: %msg%n%ex{full}";

  /** Format of the log's events. */
  enum Format {
    TEXT,
    JSON
  }

  private LibraryLogging() {}

  /** Shows events of these packages from INFO upwards. */
  static void showEvents(String... packages) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      for (String name : packages) {
        context.getLogger(name).setLevel(Level.INFO);
      }
    }
  }

  /** Changes the format of the log from that of {@code logback.xml} to the given one. */
  static void write(Format format) {
    if (format == Format.JSON && LoggerFactory.getILoggerFactory() instanceof LoggerContext all) {
      all.getLogger(Logger.ROOT_LOGGER_NAME)
          .iteratorForAppenders()
          .forEachRemaining(appender -> writeJson(all, appender));
    }
  }

  private static void writeJson(LoggerContext context, Appender<ILoggingEvent> appender) {
    if (appender instanceof OutputStreamAppender<ILoggingEvent> stream) {
      JsonEncoder encoder = new JsonEncoder();
      encoder.setContext(context);
      encoder.setWithContext(false);
      encoder.setWithSequenceNumber(false);
      encoder.setWithNanoseconds(false);
      encoder.setWithMessage(false); // Its pattern; the whole is the formatted one.
      encoder.setWithArguments(false);
      encoder.setWithFormattedMessage(true);
      encoder.start();
      stream.setEncoder(encoder);
    }
  }

  /** Enables the libraries' messages from level INFO upwards. */
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
