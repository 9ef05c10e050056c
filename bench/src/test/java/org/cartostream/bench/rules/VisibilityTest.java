package org.cartostream.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A class is public only if another package, or a test of one, uses it. */
@Quick
class VisibilityTest {

  /** Main classes, which users name. */
  private static final Set<String> BY_NAME = Set.of("Main", "BenchMain");

  @Test
  void onlyWhatOthersUseIsPublic() {
    Set<String> imported = imported();
    Set<String> found =
        MainCode.topLevel()
            .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(each -> !BY_NAME.contains(each.getSimpleName()))
            .filter(each -> !imported.contains(each.getName()))
            .filter(each -> !isUsedElsewhere(each))
            .filter(each -> !isPlugIn(each))
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).as("public, though no other package uses them").isEmpty();
  }

  private static boolean isUsedElsewhere(JavaClass each) {
    return MainCode.CLASSES.stream()
        .filter(one -> one.equals(each) || one.getName().startsWith(each.getName() + "$"))
        .flatMap(one -> one.getDirectDependenciesToSelf().stream())
        .anyMatch(use -> !use.getOriginClass().getPackageName().equals(each.getPackageName()));
  }

  /** ServiceLoader can only make objects of public classes. */
  private static boolean isPlugIn(JavaClass each) {
    return each.getAllRawInterfaces().stream()
        .flatMap(service -> ServiceLoader.load(service.reflect()).stream())
        .anyMatch(provider -> provider.type().getName().equals(each.getName()));
  }

  /** Top-level classes that a source file of another package imports; constants leave no trace. */
  private static Set<String> imported() {
    Set<String> imported = new HashSet<>();
    for (String folder : List.of("src/main/java", "src/test/java")) {
      for (Path file : MainCode.sources(folder)) {
        for (String line : MainCode.lines(file)) {
          if (line.startsWith("import ") && line.contains(MainCode.ROOT)) {
            addTopLevel(line.replace("static ", "").replaceAll("import |;", "").strip(), imported);
          }
        }
      }
    }
    return imported;
  }

  private static void addTopLevel(String name, Set<String> imported) {
    StringBuilder full = new StringBuilder();
    for (String part : name.split("\\.")) {
      full.append(full.isEmpty() ? "" : ".").append(part);
      if (Character.isUpperCase(part.charAt(0))) {
        imported.add(full.toString());
        return;
      }
    }
  }
}
