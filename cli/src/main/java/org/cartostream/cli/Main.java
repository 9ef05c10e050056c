package org.cartostream.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** The process: its streams, its signals and its exit code. */
public final class Main {

  private Main() {}

  /** Runs one command and exits: 0 done, 1 failed, 2 wrong usage, 128 + n ended by signal n. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Thread lastWord = new Thread(() -> Runtime.getRuntime().halt(Complaints.endedFromWithin(err)));
    Runtime.getRuntime().addShutdownHook(lastWord);
    int exitCode = run(args, out, err, Interruption.bySignals());
    Runtime.getRuntime().removeShutdownHook(lastWord);
    // Threads of Storm or the broker that are slow to end must not keep the process.
    System.exit(exitCode);
  }

  /** Runs one command in this process and returns its exit code. */
  static int run(String[] args, PrintWriter out, PrintWriter err, Interruption interruption) {
    CartostreamCommand command = new CartostreamCommand(interruption);
    Complaints complaints = new Complaints(command);
    CommandLine line = new CommandLine(command);
    line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(Complaints::wrongUsage)
        .setExecutionExceptionHandler(complaints::failed);
    try {
      return line.execute(args);
    } catch (OutOfMemoryError e) {
      return complaints.outOfMemory(e, line);
    }
  }
}
