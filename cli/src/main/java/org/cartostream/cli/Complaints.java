package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.register.RegisterException;
import org.cartostream.cli.cluster.ClusterException;
import org.cartostream.gateway.GatewayException;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells people what went wrong: one sentence, and a stack trace only if they asked for it. */
final class Complaints {

  private final CartostreamCommand command;

  Complaints(CartostreamCommand command) {
    this.command = command;
  }

  /** The command line cannot be understood. */
  static int wrongUsage(ParameterException e, String[] unused) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    String sentence = e.getMessage().replaceAll("\\s*\\R\\s*", " ");
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> near = unmatched.getSuggestions();
      sentence += near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }
    say(err, sentence);
    err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return Failure.WRONG_USAGE;
  }

  /** The command could not do its work. */
  int failed(Exception e, CommandLine line, ParseResult unused) {
    return failed(e, line);
  }

  /** The same, of whatever ended it. */
  int failed(Throwable e, CommandLine line) {
    Failure failure = failure(e);
    say(line.getErr(), failure.getMessage());
    if (command.verbose()) {
      e.printStackTrace(line.getErr());
    }
    line.getErr().flush();
    int signal = command.endedBySignal();
    return signal == 0 ? failure.exitCode() : signal;
  }

  /** Something else than the command line itself ends the process, as Storm does on a fault. */
  static int endedFromWithin(PrintWriter err) {
    say(
        err,
        "Storm ended the process in mid-run (--verbose shows why); if memory ran out: "
            + Failure.OUT_OF_MEMORY);
    err.flush();
    return Failure.FAILED;
  }

  /** What the command said on standard output has not arrived there. */
  static int unwritten(IOException e, PrintWriter err) {
    say(err, "standard output cannot be written: " + e.getMessage());
    return Failure.FAILED;
  }

  private static Failure failure(Throwable e) {
    if (e instanceof Failure failure) {
      return failure;
    }
    if (e instanceof OutOfMemoryError) {
      return Failure.failed(Failure.OUT_OF_MEMORY, e);
    }
    if (e instanceof UncheckedIOException wrapped) {
      return Failure.of(wrapped.getCause());
    }
    if (e instanceof IOException file) {
      return Failure.of(file);
    }
    if (e instanceof BrokerException
        || e instanceof RefusedMessageException
        || e instanceof RegisterException
        || e instanceof GatewayException
        || e instanceof ClusterException
        || e instanceof NimbusException) {
      return Failure.failed(e.getMessage(), e);
    }
    Throwable why =
        e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
    return Failure.failed("unexpected: " + why + " (--verbose shows where)", e);
  }

  private static void say(PrintWriter err, String sentence) {
    err.println("cartostream: " + sentence);
  }
}
