package org.cartostream.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * Packages of a module form no cycles in what a reader sees, either: imports and links of comments
 * count, which class files do not have.
 */
@Quick
class SourceCyclesTest {

  /** A package of ours, or that of a class whose full name stands there. */
  private static final Pattern PACKAGE =
      Pattern.compile("\\b" + Pattern.quote(MainCode.ROOT) + "(\\.[a-z][a-z0-9]*)+");

  private static final Pattern OWN = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

  @Test
  void noPackagesOfAModuleFormACycleWithTheirComments() {
    Map<String, Set<String>> cycles = new TreeMap<>();
    int packages = 0;
    for (Path module : MainCode.modules()) {
      Map<String, Set<String>> named = new TreeMap<>();
      MainCode.sources("src/main/java").stream()
          .filter(file -> file.startsWith(module))
          .forEach(file -> addNamed(String.join("\n", MainCode.lines(file)), named));
      packages += named.size();
      cycles.putAll(cyclic(named));
    }
    assertThat(packages).isGreaterThan(100);
    assertThat(cycles).as("packages that name each other, in comments or imports").isEmpty();
  }

  @Test
  void aCycleIsSeen() {
    Map<String, Set<String>> named = new TreeMap<>();
    addNamed("package org.cartostream.a;\n/** {@link org.cartostream.b.B}. */", named);
    addNamed("package org.cartostream.b;\nimport org.cartostream.a.A;", named);
    addNamed("package org.cartostream.c;\nimport org.cartostream.b.B;", named);
    assertThat(cyclic(named)).containsOnlyKeys("org.cartostream.a", "org.cartostream.b");
  }

  private static void addNamed(String source, Map<String, Set<String>> named) {
    String own = OWN.matcher(source).results().findFirst().orElseThrow().group(1);
    Set<String> others = named.computeIfAbsent(own, first -> new TreeSet<>());
    PACKAGE.matcher(source).results().map(MatchResult::group).forEach(others::add);
    others.remove(own);
  }

  /** What is left when packages that name no others, or that no others name, are taken away. */
  private static Map<String, Set<String>> cyclic(Map<String, Set<String>> named) {
    Map<String, Set<String>> left = new TreeMap<>(named);
    for (int before = -1; before != left.size(); ) {
      before = left.size();
      left.values().forEach(others -> others.retainAll(left.keySet()));
      left.values().removeIf(Set::isEmpty);
      left.keySet()
          .retainAll(left.values().stream().flatMap(Set::stream).collect(Collectors.toSet()));
    }
    return left;
  }
}
