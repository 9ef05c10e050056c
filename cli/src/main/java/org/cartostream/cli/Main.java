package org.cartostream.cli;

import org.cartostream.cli.process.CommandProcess;

/** Main class of {@code cartostream}. */
public final class Main {

  private Main() {}

  /** Runs one command and exits: 0 done, 1 failed, 2 wrong usage, 128 + n ended by signal n. */
  public static void main(String[] args) {
    CommandProcess.start("cartostream").run(CartostreamCommand::new, args);
  }
}
