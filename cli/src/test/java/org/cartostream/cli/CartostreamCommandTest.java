package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands that tell about the program itself. */
@Quick
class CartostreamCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"replay", "evaluate", "datasets", "settings"})
  void helpShowsExamplesAndExitCodesOnNarrowScreens(String command) {
    Cartostream run = Cartostream.run(command, "--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("Example", "cartostream " + command, "Exit codes:");
    assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
  }

  /** A key that is broken at its dot, or an example in the midst, cannot be copied. */
  @Test
  void helpBreaksNoKeyAndNoExample() {
    Pattern broken = Pattern.compile("[a-z/]\\.\\R {8,}[a-z].*|(?<=\\R)  cartostream .*\\R\\S.*");
    for (String help : helps(new CommandLine(new CartostreamCommand(ShutdownRequest::new)))) {
      assertThat(broken.matcher(help).results().map(MatchResult::group)).isEmpty();
    }
  }

  /** A line that is broken by hand and again at column 80 leaves words alone on a line. */
  @Test
  void noParagraphOfHelpIsBrokenTwice() {
    Pattern twice = Pattern.compile("(?m)^\\S.{80,}\\R\\S.*");
    List<String> texts = new ArrayList<>();
    texts(new CommandLine(new CartostreamCommand(ShutdownRequest::new)), texts);
    assertThat(texts).hasSizeGreaterThan(50);
    assertThat(texts)
        .allSatisfy(
            text -> assertThat(twice.matcher(text).results().map(MatchResult::group)).isEmpty());
  }

  private static void texts(CommandLine command, List<String> texts) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    texts.add(String.join("\n", usage.description()));
    texts.add(String.join("\n", usage.footer()));
    command.getSubcommands().values().forEach(each -> texts(each, texts));
  }

  private static List<String> helps(CommandLine command) {
    List<String> helps = new ArrayList<>();
    command.getSubcommands().values().forEach(each -> helps.addAll(helps(each)));
    if (helps.isEmpty()) { // The others list sentences.
      helps.add(command.getUsageMessage());
    }
    return helps;
  }

  @Test
  void versionNamesEverythingThatAResultMayDependOn() {
    assertThat(Cartostream.run("--version").out().lines().map(line -> line.split(" ")[0]))
        .containsExactly("cartostream", "java", "storm", "rabbitmqClient", "qpidBroker", "kryo");
    assertThat(Cartostream.run("--version").out()).doesNotContain("unknown", "${");
  }

  @Test
  void settingsNameUnitBoundsAndMeaning() {
    assertThat(Cartostream.run("settings").out())
        .contains("slam:", "  particles: ", "topology:", "  tasks: ", "broker:", "gateway:")
        .contains("[s, at least 1");
  }

  @Test
  void aCommandIsNeeded() {
    Cartostream run = Cartostream.run();
    assertThat(run.complaint()).contains("replay killian");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void anUnknownCommandIsNamed() {
    Cartostream run = Cartostream.run("repaly", "my.clf");
    assertThat(run.complaint()).startsWith("there is no command 'repaly'; did you mean replay");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void helpListsEachCommandInOneGroup() {
    List<String> lines = Cartostream.run("--help").out().lines().toList();
    assertThat(lines).contains("Map:", "See:", "Serve:", "Operate a cluster:");
    for (String name :
        new CommandLine(new CartostreamCommand(ShutdownRequest::new)).getSubcommands().keySet()) {
      assertThat(lines).as(name).filteredOn(line -> line.startsWith("  " + name + " ")).hasSize(1);
    }
  }

  @Test
  void helpIsACommandToo() {
    assertThat(Cartostream.run("help").out()).isEqualTo(Cartostream.run("--help").out());
    assertThat(Cartostream.run("help", "replay").out())
        .isEqualTo(Cartostream.run("replay", "--help").out());
  }

  @Test
  void helpNamesEachFormatOfLogs() {
    String help = Cartostream.run("replay", "--help").out().replaceAll("\\s+", " ");
    assertThat(new InputLog.Formats()).allSatisfy(files -> assertThat(help).contains(files));
  }

  @Test
  void valuesAreNamedAsTheyAreWritten() {
    Cartostream run = Cartostream.run("replay", "my.clf", "--engine", "paralel");
    assertThat(run.complaint()).contains("[storm, serial]", "paralel");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
