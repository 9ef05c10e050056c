package org.cartostream.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What classes may be called. */
class WordsTest {

  /** Module to the private names that its classes had; the same that {@link #TABLE} has. */
  private static final Path LIST = MainCode.PROJECT.resolve("cli/src/test/resources/old-names.txt");

  /** The table of old names and standard terms, which not every copy of the sources has. */
  private static final Path TABLE = MainCode.PROJECT.resolve("../shared/words.md");

  /** A name, not a word of a sentence about it. */
  private static final Pattern NAME = Pattern.compile("[A-Z][A-Za-z]+");

  /** Of classes that the recovery by checkpoints will delete. */
  private static final String LATER = "†";

  /** In the table for one class of many that have the name with right, by its package. */
  private static final Map<String, String> ONLY_IN = Map.of("Nodes", MainCode.ROOT + ".slam.graph");

  @Test
  void noNameIsAnOldOne() {
    Map<String, Set<String>> old = listed();
    assertThat(old).hasSizeGreaterThan(5);
    List<String> found =
        MainCode.CLASSES.stream()
            .filter(each -> old.getOrDefault(module(each), Set.of()).contains(each.getSimpleName()))
            .filter(
                each ->
                    each.getPackageName()
                        .startsWith(ONLY_IN.getOrDefault(each.getSimpleName(), MainCode.ROOT)))
            .map(JavaClass::getName)
            .toList();
    assertThat(found).as("old names; the standard terms are in words.md").isEmpty();
  }

  @Test
  void theListHasAllNamesOfTheTable() {
    if (Files.exists(TABLE)) {
      Map<String, Set<String>> old = listed();
      table()
          .forEach(
              (module, names) ->
                  assertThat(old.get(module)).as("%s in %s", module, LIST).containsAll(names));
    }
  }

  @Test
  void noSimpleNameIsThereTwice() {
    Map<String, List<String>> classes =
        MainCode.topLevel()
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getPackageName, Collectors.toList())));
    classes.values().removeIf(packages -> packages.size() == 1);
    assertThat(classes).as("two classes of one name").isEmpty();
  }

  private static String module(JavaClass each) {
    return each.getPackageName().substring(MainCode.ROOT.length() + 1).split("\\.")[0];
  }

  private static Map<String, Set<String>> listed() {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    for (String line : MainCode.lines(LIST)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(":");
        for (String module : parts[0].split(",")) {
          names
              .computeIfAbsent(module.strip(), each -> new TreeSet<>())
              .addAll(List.of(parts[1].strip().split(" ")));
        }
      }
    }
    return names;
  }

  /** The left columns: names by the modules that the heading above them names. */
  private static Map<String, Set<String>> table() {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    List<String> modules = List.of();
    for (String line : MainCode.lines(TABLE)) {
      if (line.startsWith("## ")) {
        modules =
            Stream.of(line.substring(3).split(","))
                .map(each -> each.strip().replace("broker-config", "broker"))
                .toList();
      } else if (line.startsWith("|") && !line.startsWith("| now") && !line.startsWith("|--")) {
        String[] cells = line.split("\\|");
        for (int i = 1; i < cells.length; i += 2) {
          List<String> old = names(cells[i]);
          modules.forEach(each -> names.computeIfAbsent(each, one -> new TreeSet<>()).addAll(old));
        }
      }
    }
    return names;
  }

  private static List<String> names(String cell) {
    List<String> names = new ArrayList<>();
    if (!cell.contains(LATER) && !cell.contains("`")) {
      Matcher matcher = NAME.matcher(cell);
      while (matcher.find()) {
        names.add(matcher.group());
      }
    }
    return names;
  }
}
