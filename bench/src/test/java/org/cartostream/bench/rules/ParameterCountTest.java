package org.cartostream.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cartostream.settings.Setting;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** How many parameters a method may have. */
@Quick
class ParameterCountTest {

  private static final int MAX_PARAMETERS = 7;

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
          "GraphSolution",
          "KeyFrameTiming",
          "Lidar",
          "LocalisationReport",
          "ParticleTransfer",
          "ParticleWeights",
          "RunReport",
          "RunSnapshot$Latest",
          "RunStatistics$Snapshot",
          "ScaleCost",
          "SequentialTasks$ReadingTimes",
          "Step",
          "TaskBalanceReport");

  /** Innermost loops of the filter, whose numbers would cost its time as objects. */
  private static final Set<String> INNER_LOOPS = Set.of("TiledMap.update");

  @Test
  void nothingHasManyParameters() {
    List<String> many = new ArrayList<>();
    for (JavaClass each : MainCode.CLASSES) {
      if (each.isAnonymousClass()) {
        continue;
      }
      for (JavaCodeUnit unit : each.getCodeUnits()) {
        if (parameters(unit) > MAX_PARAMETERS
            && !isData(each, unit)
            && !overridesLibrary(each, unit)
            && !INNER_LOOPS.contains(each.getSimpleName() + "." + unit.getName())) {
          many.add(unit.getFullName());
        }
      }
    }
    assertThat(many).as("more than %d parameters", MAX_PARAMETERS).isEmpty();
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
