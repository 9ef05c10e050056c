package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What is said of the measurements themselves. */
@Quick
class BenchCommandTest {

  private static final Collection<CommandLine> COMMANDS =
      new CommandLine(new BenchCommand(ShutdownRequest::new)).getSubcommands().values();

  /** The list of commands takes the first line of each description. */
  @Test
  void eachMeasurementIsListedWithAWholeSentence() {
    assertThat(Bench.run("--help").out().replaceAll("\\s+", " "))
        .contains("costs and how accurate it is.", "with MPJ Express.", "give on more cores.");
  }

  @Test
  void helpShowsTheExitCodes() {
    assertThat(Bench.run("accuracy", "--help").out()).contains("--verbose", "Exit codes:");
  }

  /** A key that is broken at its dot, or an example in the midst, cannot be copied. */
  @Test
  void helpBreaksNoKeyAndNoExample() {
    Pattern broken =
        Pattern.compile("[a-z/]\\.\\R {8,}[a-z].*|(?<=\\R)  (bench|cartostream) .*\\R\\S.*");
    assertThat(COMMANDS).hasSizeGreaterThan(10);
    assertThat(COMMANDS).allSatisfy(command -> assertNowhere(broken, command.getUsageMessage()));
  }

  /** A line that is broken by hand and again at column 80 leaves words alone on a line. */
  @Test
  void noParagraphOfHelpIsBrokenTwice() {
    Pattern twice = Pattern.compile("(?m)^\\S.{80,}\\R\\S.*");
    for (CommandLine command : COMMANDS) {
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      assertNowhere(twice, String.join("\n", usage.description()));
      assertNowhere(twice, String.join("\n", usage.footer()));
    }
  }

  private static void assertNowhere(Pattern pattern, String text) {
    assertThat(pattern.matcher(text).results().map(MatchResult::group)).isEmpty();
  }

  @Test
  void saysWhatCanBeMeasured() {
    Bench run = Bench.run();
    assertThat(run.complaint()).contains("accuracy");
    assertThat(run.err()).contains("Try 'bench --help'.");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
