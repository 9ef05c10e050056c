package org.cartostream.cli.process;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.registry.RegistryException;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.gateway.GatewayException;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Printer of failures for people: one sentence, and a stack trace only on request. */
final class ErrorPrinter {

  private static final String SHOWN = "--verbose shows why";

  private final String program;

  /**
   * @param program name of the program, with which each sentence begins
   */
  ErrorPrinter(String program) {
    this.program = program;
  }

  /** Prints why the command line cannot be understood; returns the exit code. */
  int wrongUsage(ParameterException e, String[] unused) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    String sentence = e.getMessage().replaceAll("\\s*\\R\\s*", " ");
    if (e instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      if (!line.getSubcommands().isEmpty() && !first.startsWith("-")) {
        sentence = "there is no command '" + first + "'"; // The words after it are its arguments.
      }
      List<String> near = unmatched.getSuggestions();
      sentence += near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }
    print(err, enumNamesInLowerCase(sentence));
    err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitException.WRONG_USAGE;
  }

  /** Converts enum names in a sentence to lower case, as in help and docs. */
  private static String enumNamesInLowerCase(String sentence) {
    return Pattern.compile("expected one of \\[[A-Z, _]+\\]")
        .matcher(sentence)
        .replaceAll(names -> names.group().toLowerCase(Locale.ROOT));
  }

  /** Prints why the command could not do its work; returns the exit code. */
  int failed(Throwable e, CommandLine line, RootCommand root) {
    ExitException exitException = failure(e);
    print(line.getErr(), exitException.getMessage());
    if (root.verbose()) {
      e.printStackTrace(line.getErr());
    }
    line.getErr().flush();
    int signal = root.endedBySignal();
    return signal == 0 ? exitException.exitCode() : signal;
  }

  /** Prints why a library ends the process, as Storm does on a fault; returns the exit code. */
  int endedByLibrary(Optional<Throwable> why, PrintWriter err) {
    print(err, "Storm ended the process in mid-run: " + why.map(ErrorPrinter::cause).orElse(SHOWN));
    err.flush();
    return ExitException.FAILED;
  }

  private static String cause(Throwable why) {
    if (why instanceof OutOfMemoryError) {
      return ExitException.OUT_OF_MEMORY;
    }
    if (why instanceof IOException e && !(e instanceof SocketException)) {
      return ExitException.ofTemporaryFolder(e).getMessage(); // Storm's files are in it.
    }
    String message = why.getMessage();
    return (message == null ? why.getClass().getSimpleName() : message) + "; " + SHOWN;
  }

  /** Prints why standard output could not be written; returns the exit code. */
  int outputNotWritten(IOException e, PrintWriter err) {
    print(err, "standard output cannot be written: " + e.getMessage());
    return ExitException.FAILED;
  }

  private static ExitException failure(Throwable e) {
    if (e instanceof ExitException exitException) {
      return exitException;
    }
    if (e instanceof OutOfMemoryError) {
      return ExitException.failed(ExitException.OUT_OF_MEMORY, e);
    }
    if (e instanceof UncheckedIOException wrapped) {
      return ExitException.of(wrapped.getCause());
    }
    if (e instanceof IOException file) {
      return ExitException.of(file);
    }
    if (e instanceof ClusterException wrong && wrong.isWrongValue()) {
      return ExitException.wrongUsage(e.getMessage(), e);
    }
    if (e instanceof BrokerException
        || e instanceof RefusedMessageException
        || e instanceof RegistryException
        || e instanceof GatewayException
        || e instanceof ClusterException
        || e instanceof NimbusException) {
      return ExitException.failed(e.getMessage(), e);
    }
    if (e instanceof IllegalStateException && e.getCause() instanceof UnknownHostException) {
      return ExitException.failed(e.getMessage(), e);
    }
    if (isOfNativeLibrary(e)) {
      String reason = String.valueOf(e.getMessage()).replaceFirst("^.*: ", "");
      return ExitException.ofTemporaryFolder(
          new IOException("no library can be unpacked and run there (noexec?), " + reason, e));
    }
    if (e instanceof NoClassDefFoundError && !String.valueOf(e.getMessage()).contains(" ")) {
      return ExitException.failed(
          "%s is not in this installation: the package 'cartostream-gateway' has the robot's side alone, 'cartostream' has all"
              .formatted(e.getMessage().replace('/', '.')),
          e);
    }
    Throwable why =
        e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
    return ExitException.failed("unexpected: " + why + " (--verbose shows where)", e);
  }

  /**
   * Returns true if a library's native code could not be loaded. Libraries unpack their native code
   * into the temporary folder.
   */
  private static boolean isOfNativeLibrary(Throwable e) {
    return e instanceof UnsatisfiedLinkError
        || e instanceof ExceptionInInitializerError
            && String.valueOf(e.getMessage()).startsWith("Cannot unpack ");
  }

  private void print(PrintWriter err, String sentence) {
    err.println(program + ": " + sentence);
  }
}
