package org.cartostream.cli.options;

import org.cartostream.run.exit.ShutdownRequest;

/** The command line that a command is a part of, as the command sees it. */
public interface CommandContext {

  /**
   * The wish that the command end early. A command that never asks for it ends at once by a signal,
   * as any process does; one that has something to bring to its end asks before it begins.
   */
  ShutdownRequest shutdownRequest();

  /** True if the user asked for more output by {@code --verbose}. */
  boolean verbose();

  /**
   * Has some of our packages log what they do from now on: who joins, leaves, is restored.
   *
   * @param packages whole names
   */
  void logEvents(String... packages);
}
