package org.cartostream.cli.process;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The root of a program's commands, with the options and exit codes that they have in common. A
 * program's own root names the program and lists its commands.
 */
@Command(
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = VersionProvider.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed: the sentence says why",
      "2:wrong usage: an option, a key or a value that cannot be right",
      "130:ended by Ctrl-C; what was done until then is written (128 + n: by signal n)"
    })
public abstract class RootCommand implements CommandContext, Runnable {

  @Spec private CommandSpec spec;

  private final Supplier<ShutdownRequest> shutdownRequests;
  private final String missing;
  private ShutdownRequest shutdownRequest;
  private boolean verbose;

  /**
   * @param shutdownRequests creates the shutdown request; called once, by the first command that
   *     can be interrupted
   * @param missing error message if no command is given
   */
  protected RootCommand(Supplier<ShutdownRequest> shutdownRequests, String missing) {
    this.shutdownRequests = shutdownRequests;
    this.missing = missing;
  }

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description =
          "Show what a run cost, the log of Storm and the broker, and stack traces of failures.")
  void verbose(boolean wanted) {
    verbose = wanted;
    if (wanted) {
      LibraryLogging.enable();
    }
  }

  @Option(
      names = "--log-format",
      paramLabel = "text|json",
      scope = ScopeType.INHERIT,
      description =
          "How the log is written to standard error: text, or an object of JSON for each line, with"
              + " timestamp, level, message, robot and run. Default: text.")
  void logFormat(LibraryLogging.Format format) {
    LibraryLogging.write(format);
  }

  @Override
  public final void logEvents(String... packages) {
    LibraryLogging.showEvents(packages);
  }

  @Override
  public final boolean verbose() {
    return verbose;
  }

  @Override
  public final synchronized ShutdownRequest shutdownRequest() {
    if (shutdownRequest == null) {
      shutdownRequest = shutdownRequests.get();
    }
    return shutdownRequest;
  }

  /** Returns the exit code of the shutdown request; 0 if no end was requested. */
  final synchronized int endedBySignal() {
    return shutdownRequest == null ? 0 : shutdownRequest.exitCode();
  }

  /**
   * Returns the commands that help lists under each heading, in order; empty for one list without
   * headings.
   */
  protected Map<String, List<String>> groups() {
    return Map.of();
  }

  /** Sets help to list the commands in groups, if there are any. */
  final void groupHelp(CommandLine line) {
    if (!groups().isEmpty()) {
      line.getCommandSpec().usageMessage().commandListHeading("");
      line.getHelpSectionMap()
          .put(
              UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
              help ->
                  groups().entrySet().stream()
                      .map(group -> commandList(group.getKey(), group.getValue(), help))
                      .collect(Collectors.joining()));
    }
  }

  private static String commandList(String heading, List<String> names, CommandLine.Help help) {
    Map<String, CommandLine.Help> some = new LinkedHashMap<>();
    names.forEach(name -> some.put(name, help.subcommands().get(name)));
    return "%n%s:%n".formatted(heading) + help.commandList(some);
  }

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), missing);
  }
}
