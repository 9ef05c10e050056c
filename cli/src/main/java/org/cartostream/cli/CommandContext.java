package org.cartostream.cli;

/** What a command is given by the command line that it is a part of. */
interface CommandContext {

  /**
   * The wish that the command end early. A command that never asks for it ends at once by a signal,
   * as any process does; one that has something to bring to its end asks before it begins.
   */
  Interruption interruption();
}
