package org.cartostream.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Switches the libraries' logging on. {@code logback.xml} keeps it quiet. */
final class LibraryLogging {

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
    }
  }
}
