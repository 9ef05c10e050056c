package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.testing.Quick;
import org.cartostream.testing.TestFiles;
import org.cartostream.topology.stream.TopologyRefusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;

/**
 * What the documentation names is there: its command lines are parsed by their commands, and it has
 * settings with their defaults, and all reasons for which a reading is refused.
 */
@Quick
class DocumentationTest {

  /** Inline code that begins with the name of a command, and is none. */
  private static final Pattern OTHERS =
      Pattern.compile("service rabbitmq-server stop|kill (-9|N)|export IGN.*|.*(: | = ).*");

  /** Of which a page says the last commit that has them. */
  private static final Pattern GONE = Pattern.compile("scripts/bench (tls|viewers) .*");

  private static final Pattern ASSIGNMENT = Pattern.compile("--set ([a-z][\\w.]*)=([\\w./:]+)");

  /** A key in the text, and the default that may stand behind it. */
  private static final Pattern KEY =
      Pattern.compile("`([a-z]\\w*(?:\\.[a-z]\\w*)+)`(?:\\s+\\(([\\d.,]*\\d)(?: [ms])?[);])?");

  private static final Map<String, Settings.Key> KEYS =
      Settings.keys(RootSettings.class).stream()
          .collect(Collectors.toMap(Settings.Key::name, key -> key));

  private static final CommandLine CARTOSTREAM = Cartostream.parser();
  private static final CommandLine BENCH = new CommandLine(new BenchCommand(ShutdownRequest::new));

  /** Whether inline code begins with a command of {@code cartostream} and says something of it. */
  static boolean isCommand(String span) {
    String[] words = span.split(" ");
    return words.length > 1
        && !OTHERS.matcher(span).matches()
        && CARTOSTREAM.getSubcommands().containsKey(words[0]);
  }

  static List<DocumentedCommand> commands() throws IOException {
    List<DocumentedCommand> all = DocumentedCommand.all();
    assertThat(all).hasSizeGreaterThan(200);
    return all;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void isUnderstood(DocumentedCommand command) throws IOException {
    if (GONE.matcher(command.text()).matches()) {
      return;
    }
    switch (command.program()) {
      case "cartostream" -> parse(CARTOSTREAM, command);
      case "bench" -> parse(BENCH, command);
      default -> assertScriptKnows(command);
    }
  }

  /** Options and values; arguments that are missing may be where only an option is spoken of. */
  private static void parse(CommandLine parser, DocumentedCommand command) {
    try {
      parser.setCaseInsensitiveEnumValuesAllowed(true);
      parser.parseArgs(command.words().toArray(String[]::new));
    } catch (MissingParameterException e) {
      assertThat(command.isWhole()).as(e.getMessage()).isFalse();
      assertThat(e.getCommandLine().getUnmatchedArguments()).isEmpty();
    }
    ASSIGNMENT
        .matcher(command.text())
        .results()
        .forEach(each -> Settings.build(RootSettings.class, Map.of(each.group(1), each.group(2))));
  }

  @ParameterizedTest
  @CsvSource({
    "repaly my.clf, repaly",
    "gateway --robots tb3, --robots",
    "replay my.clf --particels 30, --particels",
    "replay my.clf --limit many, many",
    "replay my.clf --set slam.particels=30, slam.particels"
  })
  void whatNoCommandUnderstandsIsFound(String text, String wrong) {
    List<String> words = List.of(text.split(" "));
    DocumentedCommand part = new DocumentedCommand("page", text, "cartostream", words, false);
    assertThatThrownBy(() -> parse(CARTOSTREAM, part)).hasMessageContaining(wrong);
  }

  /** Names of tests and modules have to be there, too. */
  private static void assertScriptKnows(DocumentedCommand command) throws IOException {
    Path script = TestFiles.ROOT.resolve(command.program());
    assertThat(script).isExecutable();
    for (String word : command.words()) {
      if (word.startsWith("--")) {
        assertThat(script).content().contains(word);
      } else if (command.program().equals("scripts/test") && !word.startsWith("-")) {
        assertThat(isTest(word)).as(word).isTrue();
      }
    }
  }

  /** A module, a class, or classes of a package: what {@code TestRun} takes. */
  private static boolean isTest(String name) throws IOException {
    List<Path> modules;
    try (Stream<Path> folders = Files.list(TestFiles.ROOT)) {
      modules = folders.map(each -> each.resolve("src/test/java")).filter(Files::exists).toList();
    }
    String file = "(.*/)?" + name.replace('.', '/').replace("*", ".*") + "\\.java";
    boolean found = modules.contains(TestFiles.ROOT.resolve(name).resolve("src/test/java"));
    for (Path module : modules) {
      try (Stream<Path> files = Files.walk(module)) {
        found |= files.anyMatch(each -> each.toString().matches(file));
      }
    }
    return found;
  }

  /** A key, or a group of keys, as {@code cartostream settings} prints it. */
  @Test
  void settingsThatPagesNameAreThereWithTheDefaultsThatTheySay() throws IOException {
    Set<String> groups =
        KEYS.keySet().stream().map(key -> key.split("\\.")[0]).collect(Collectors.toSet());
    List<String> wrong = new ArrayList<>();
    for (String page : DocumentedCommand.pages()) {
      KEY.matcher(Files.readString(TestFiles.ROOT.resolve(page)))
          .results()
          .filter(found -> groups.contains(found.group(1).split("\\.")[0]))
          .filter(found -> !isRight(found.group(1), found.group(2)))
          .forEach(found -> wrong.add(page + ": " + found.group()));
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean isRight(String key, String said) {
    if (!KEYS.containsKey(key)) {
      return said == null && KEYS.keySet().stream().anyMatch(each -> each.startsWith(key + "."));
    }
    if (said == null) {
      return true;
    }
    String value = KEYS.get(key).setting().value();
    return new BigDecimal(said.replace(",", "")).compareTo(new BigDecimal(value)) == 0;
  }

  @ParameterizedTest
  @ValueSource(
      classes = {ReadingRefusal.class, RosRefusal.class, SkipReason.class, TopologyRefusal.class})
  <E extends Enum<E> & Refusal> void eachReasonHasItsCureInTheGuide(Class<E> reasons)
      throws IOException {
    String guide = Files.readString(TestFiles.ROOT.resolve("docs/robots.md"));
    assertThat(reasons.getEnumConstants())
        .allSatisfy(
            reason -> {
              assertThat(guide).containsPattern("(?m)^\\|[^|]*`" + reason.name() + "`[^|]*\\|");
              assertThat(reason.sentence()).isNotBlank().doesNotEndWith(".");
            });
  }
}
