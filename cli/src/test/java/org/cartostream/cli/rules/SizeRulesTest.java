package org.cartostream.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.settings.Setting;
import org.junit.jupiter.api.Test;

/** How large packages, files and parameter lists may be. */
class SizeRulesTest {

  private static final int MOST_CLASSES = 15;
  private static final int MOST_LINES = 400;
  private static final int MOST_PARAMETERS = 7;

  /** A message type of ROS is one class each. */
  private static final String ROS_MESSAGES = MainCode.ROOT + ".ros.message";

  private static final String WIRE_MESSAGES = MainCode.ROOT + ".broker.message";

  /** Records of data: reports, rows of tables, contents of files, and what tasks send. */
  private static final Set<String> DATA =
      Set.of(
          "Accuracy",
          "ClusterPorts",
          "CollectiveCost",
          "Engine$Cost",
          "FilterCost",
          "Frame",
          "KeyFrameTiming",
          "Lidar",
          "LocalisationReport",
          "ParticleTransfer",
          "ParticleWeights",
          "RunReport",
          "RunStatistics$Snapshot",
          "ScaleCost",
          "SequentialTasks$ReadingTimes",
          "Step",
          "TaskBalanceReport");

  /** Innermost loops of the filter, whose numbers would cost its time as objects. */
  private static final Set<String> INNER_LOOPS = Set.of("TiledMap.update");

  @Test
  void aPackageHasFewClasses() {
    Map<String, Long> counts =
        MainCode.topLevel()
            .filter(each -> !each.getPackageName().equals(ROS_MESSAGES))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
    counts.values().removeIf(count -> count <= MOST_CLASSES);
    assertThat(counts).as("packages with more than %d classes", MOST_CLASSES).isEmpty();
  }

  @Test
  void noFileIsLong() {
    Map<String, Integer> lines = new TreeMap<>();
    for (Path file : MainCode.sources("src/main/java")) {
      lines.put(file.getFileName().toString(), MainCode.lines(file).size());
    }
    assertThat(lines).hasSizeGreaterThan(500);
    lines.values().removeIf(count -> count <= MOST_LINES);
    assertThat(lines).as("files of more than %d lines", MOST_LINES).isEmpty();
  }

  @Test
  void nothingHasManyParameters() {
    List<String> many = new ArrayList<>();
    for (JavaClass each : MainCode.CLASSES) {
      if (each.isAnonymousClass()) {
        continue;
      }
      for (JavaCodeUnit unit : each.getCodeUnits()) {
        if (parameters(unit) > MOST_PARAMETERS
            && !isData(each, unit)
            && !overridesLibrary(each, unit)
            && !INNER_LOOPS.contains(each.getSimpleName() + "." + unit.getName())) {
          many.add(unit.getFullName());
        }
      }
    }
    assertThat(many).as("more than %d parameters", MOST_PARAMETERS).isEmpty();
  }

  /** As the source has them: the compiler gives those of enums and lambdas more. */
  private static int parameters(JavaCodeUnit unit) {
    if (unit.getModifiers().contains(JavaModifier.SYNTHETIC)) {
      return 0;
    }
    int count = unit.getRawParameterTypes().size();
    return unit.isConstructor() && unit.getOwner().isEnum() ? count - 2 : count;
  }

  /** Who overrides a method of a library's class has no choice. */
  private static boolean overridesLibrary(JavaClass each, JavaCodeUnit unit) {
    Class<?> parent = each.reflect().getSuperclass();
    return unit instanceof JavaMethod method
        && parent != null
        && !parent.getName().startsWith(MainCode.ROOT)
        && Stream.of(parent.getMethods())
            .filter(its -> its.getName().equals(method.getName()))
            .anyMatch(
                its ->
                    Arrays.equals(its.getParameterTypes(), method.reflect().getParameterTypes()));
  }

  private static boolean isData(JavaClass each, JavaCodeUnit unit) {
    return unit.isConstructor()
        && each.isRecord()
        && (each.getPackageName().equals(WIRE_MESSAGES)
            || each.getPackageName().equals(ROS_MESSAGES)
            || DATA.contains(each.getName().substring(each.getPackageName().length() + 1))
            || isSettings(each));
  }

  private static boolean isSettings(JavaClass each) {
    return Stream.of(each.reflect().getRecordComponents())
        .anyMatch(
            component ->
                component.isAnnotationPresent(Setting.class)
                    || component.getType().getSimpleName().endsWith("Settings"));
  }
}
