package org.cartostream.cli.options;

import org.cartostream.run.exit.ShutdownRequest;

/** What a command is given by the command line that it is a part of. */
public interface CommandContext {

  /**
   * The wish that the command end early. A command that never asks for it ends at once by a signal,
   * as any process does; one that has something to bring to its end asks before it begins.
   */
  ShutdownRequest shutdownRequest();
}
