package org.cartostream.cli.process;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine;

/**
 * Process of a program's command: its streams, signals and exit code. {@link #start} checks the
 * process, then {@link #run(Function, String[])} runs the command and ends the process.
 */
public final class CommandProcess {

  private final StandardOutput output = new StandardOutput();
  private final PrintWriter out = new PrintWriter(output, true, StandardCharsets.UTF_8);
  private final PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
  private final String program;

  private CommandProcess(String program) {
    this.program = program;
  }

  /**
   * Checks that the process can run a command at all. This is separate from {@code run}, because
   * with too few open files not even the commands' classes can be read.
   *
   * @param program name of the program, with which error messages begin
   */
  public static CommandProcess start(String program) {
    // Libraries fold names by the default locale: in Turkish the broker does not know its own "id".
    Locale.setDefault(Locale.ROOT);
    CommandProcess process = new CommandProcess(program);
    if (!OpenFiles.suffice(OpenFiles.limit())) {
      process.err.println(program + ": " + OpenFiles.tooFew(OpenFiles.limit()));
      System.exit(ExitException.FAILED);
    }
    return process;
  }

  /**
   * Runs one command and exits: 0 done, 1 failed, 2 wrong usage, 128 + n ended by signal n.
   *
   * @param root creates the root of the program's commands
   */
  public void run(Function<Supplier<ShutdownRequest>, RootCommand> root, String[] args) {
    ErrorPrinter errors = new ErrorPrinter(program);
    LibraryFaults faults = LibraryFaults.listen();
    Thread lastWord =
        new Thread(() -> Runtime.getRuntime().halt(errors.endedByLibrary(faults.latest(), err)));
    int exitCode = ExitException.FAILED;
    try {
      exitCode = run(root.apply(() -> bySignals(err, lastWord)), args, out, err);
      out.flush();
      if (exitCode == 0 && output.failure().isPresent()) {
        exitCode = errors.outputNotWritten(output.failure().get(), err);
      }
    } finally {
      // Threads of Storm or the broker that are slow to end must not delay the exit.
      end(exitCode, lastWord);
    }
  }

  private static void end(int exitCode, Thread lastWord) {
    try {
      Runtime.getRuntime().removeShutdownHook(lastWord);
    } catch (IllegalStateException e) {
      return; // The process is ending already.
    }
    System.exit(exitCode);
  }

  /**
   * Takes over the signals for a command that can be interrupted, which includes every command that
   * runs Storm or a broker. From now on only the command itself or a library can end the process.
   */
  private static ShutdownRequest bySignals(PrintWriter err, Thread lastWord) {
    ShutdownRequest shutdownRequest = ShutdownRequest.bySignals(err);
    Runtime.getRuntime().addShutdownHook(lastWord);
    ProcessTempFolder.create();
    return shutdownRequest;
  }

  /** Runs one command in this process and returns its exit code. */
  public static int run(RootCommand root, String[] args, PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(root);
    root.groupHelp(line);
    ErrorPrinter errors = new ErrorPrinter(line.getCommandName());
    line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(errors::wrongUsage)
        .setExecutionExceptionHandler((e, failed, unused) -> errors.failed(e, failed, root));
    try {
      return line.execute(args);
    } catch (Throwable e) {
      // It may be an Error: the heap is full, or a library cannot be loaded.
      return errors.failed(e, line, root);
    }
  }
}
