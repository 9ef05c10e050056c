package org.cartostream.bench.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.cli.process.CommandProcess;
import org.cartostream.run.exit.ShutdownRequest;

/**
 * One measurement, run in this JVM.
 *
 * @param exitCode what the process would have ended with
 * @param out what went to standard output
 * @param err what went to standard error
 */
record Bench(int exitCode, String out, String err) {

  private static final String PREFIX = "bench: ";

  static Bench run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        CommandProcess.run(
            new BenchCommand(ShutdownRequest::new),
            Stream.of(arguments).map(Object::toString).toArray(String[]::new),
            new PrintWriter(out, true),
            new PrintWriter(err, true));
    return new Bench(exitCode, out.toString(), err.toString());
  }

  /** The one sentence that says what went wrong. */
  String complaint() {
    List<String> sentences = err.lines().filter(line -> line.startsWith(PREFIX)).toList();
    if (sentences.size() != 1) {
      throw new AssertionError("not one sentence:\n" + err);
    }
    return sentences.get(0).substring(PREFIX.length());
  }
}
