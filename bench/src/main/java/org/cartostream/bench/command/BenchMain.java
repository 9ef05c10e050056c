package org.cartostream.bench.command;

import org.cartostream.cli.process.CommandProcess;

/** Main class of {@code bench}, which {@code scripts/bench} runs. */
public final class BenchMain {

  private BenchMain() {}

  /** Runs one measurement, and exits with its exit code. */
  public static void main(String[] args) {
    CommandProcess.start("bench").run(BenchCommand::new, args);
  }
}
