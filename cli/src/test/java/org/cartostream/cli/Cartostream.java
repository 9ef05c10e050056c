package org.cartostream.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.cartostream.cli.process.CommandProcess;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine;

/**
 * One command, run in this JVM.
 *
 * @param exitCode what the process would have ended with
 * @param out what went to standard output
 * @param err what went to standard error
 */
public record Cartostream(int exitCode, String out, String err) {

  /** The parser of all its commands. */
  public static CommandLine parser() {
    return new CommandLine(new CartostreamCommand(ShutdownRequest::new));
  }

  public static Cartostream run(Object... arguments) {
    return run(new ShutdownRequest(), arguments);
  }

  public static Cartostream run(ShutdownRequest shutdownRequest, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    int exitCode =
        CommandProcess.run(
            new CartostreamCommand(() -> shutdownRequest),
            words,
            new PrintWriter(out, true),
            new PrintWriter(err, true));
    return new Cartostream(exitCode, out.toString(), err.toString());
  }

  /** The one sentence that says what went wrong. */
  public String complaint() {
    return err.lines()
        .filter(line -> line.startsWith("cartostream: "))
        .map(line -> line.substring("cartostream: ".length()))
        .reduce(
            (one, two) -> {
              throw new AssertionError("more than one sentence:\n" + err);
            })
        .orElseThrow(() -> new AssertionError("no complaint:\n" + err));
  }
}
