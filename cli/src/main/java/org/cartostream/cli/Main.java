package org.cartostream.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Supplier;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine;

/** Main class: runs a command with the process's streams, signals and exit code. */
public final class Main {

  private Main() {}

  /** Runs one command and exits: 0 done, 1 failed, 2 wrong usage, 128 + n ended by signal n. */
  public static void main(String[] args) {
    // Libraries fold names by the default locale: in Turkish the broker does not know its own "id".
    Locale.setDefault(Locale.ROOT);
    StandardOutput output = new StandardOutput();
    PrintWriter out = new PrintWriter(output, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    if (!OpenFiles.suffice(OpenFiles.limit())) {
      // Before anything else: with too few, not even the classes can be read that say so.
      err.println("cartostream: " + OpenFiles.tooFew(OpenFiles.limit()));
      System.exit(1);
    }
    Thread lastWord = new Thread(() -> Runtime.getRuntime().halt(ErrorPrinter.endedByLibrary(err)));
    int exitCode = ExitException.FAILED;
    try {
      exitCode = run(args, out, err, () -> bySignals(err, lastWord));
      out.flush();
      if (exitCode == 0 && output.failure().isPresent()) {
        exitCode = ErrorPrinter.outputNotWritten(output.failure().get(), err);
      }
    } finally {
      // Threads of Storm or the broker that are slow to end must not keep the process.
      end(exitCode, lastWord);
    }
  }

  private static void end(int exitCode, Thread lastWord) {
    try {
      Runtime.getRuntime().removeShutdownHook(lastWord);
    } catch (IllegalStateException e) {
      return; // The process ends already.
    }
    System.exit(exitCode);
  }

  /**
   * For a command that can be interrupted: signals are its own from now on, so whatever else ends
   * the process does so from within. It is such a command, too, that runs Storm or a broker.
   */
  private static ShutdownRequest bySignals(PrintWriter err, Thread lastWord) {
    ShutdownRequest shutdownRequest = ShutdownRequest.bySignals(err);
    Runtime.getRuntime().addShutdownHook(lastWord);
    ProcessTempFolder.create();
    return shutdownRequest;
  }

  /**
   * Runs one command in this process and returns its exit code.
   *
   * @param shutdownRequests asked once, if the command can be interrupted
   */
  public static int run(
      String[] args, PrintWriter out, PrintWriter err, Supplier<ShutdownRequest> shutdownRequests) {
    CartostreamCommand command = new CartostreamCommand(shutdownRequests);
    ErrorPrinter errorPrinter = new ErrorPrinter(command);
    CommandLine line = new CommandLine(command);
    line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(ErrorPrinter::wrongUsage)
        .setExecutionExceptionHandler(errorPrinter::failed);
    try {
      return line.execute(args);
    } catch (Throwable e) {
      // An Error: the heap is full, or a library cannot be used.
      return errorPrinter.failed(e, line);
    }
  }
}
