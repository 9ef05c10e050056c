package org.cartostream.cli.options;

import org.cartostream.run.exit.ShutdownRequest;

/** Context of a command: the options and the shutdown request of the whole command line. */
public interface CommandContext {

  /**
   * Returns the request that the command end early. A command that never calls this method is ended
   * at once by a signal, as any process is. A command that must finish its work in order calls it
   * before it begins.
   */
  ShutdownRequest shutdownRequest();

  /** Returns true if the user asked for more output by {@code --verbose}. */
  boolean verbose();

  /**
   * Enables the log of some of this program's packages from now on. It tells the events of runs,
   * such as restores and ends.
   *
   * @param packages full names of the packages
   */
  void logEvents(String... packages);
}
