package org.cartostream.bench.rules;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * The walls between the modules and layers, the names of classes, and what keeps the answer
 * independent of where it is computed.
 */
@Quick
class ArchitectureTest {

  private static final String OURS = "org.cartostream..";
  private static final String ASSIGNMENT = "org.cartostream.topology.assignment..";
  private static final String STORM = "org.apache.storm..";
  private static final String RABBITMQ = "com.rabbitmq..";
  private static final String QPID = "org.apache.qpid..";
  private static final String ZOOKEEPER = "org.apache.zookeeper..";
  private static final String CURATOR = "org.apache.curator..";
  private static final String ROS = "org.ros..";
  private static final String PICOCLI = "picocli..";

  /** What {@code bench} has of {@code cli}: its options, and how a process runs a command. */
  private static final String[] WITHOUT_COMMANDS = {
    "org.cartostream.cli.options..", "org.cartostream.cli.process.."
  };

  private static final String[] SERVERS = {STORM, RABBITMQ, QPID, ZOOKEEPER, CURATOR, ROS};

  private static final List<String> MODULES =
      List.of(
          "settings",
          "slam",
          "ros",
          "collectives",
          "checkpoint",
          "broker",
          "gateway",
          "topology",
          "web",
          "sim",
          "deploy",
          "run",
          "cli",
          "bench");

  /** Module to those that it may import; by the names of their packages. */
  private static final Map<String, List<String>> MAY_IMPORT = new LinkedHashMap<>();

  /** Libraries that a module must do without. */
  private static final Map<String, List<String>> WITHOUT = new LinkedHashMap<>();

  static {
    MAY_IMPORT.put("settings", List.of());
    MAY_IMPORT.put("slam", List.of("settings"));
    MAY_IMPORT.put("ros", List.of());
    MAY_IMPORT.put("collectives", List.of("settings"));
    MAY_IMPORT.put("checkpoint", List.of("settings"));
    MAY_IMPORT.put("broker", List.of("slam", "settings"));
    MAY_IMPORT.put("gateway", List.of("slam", "ros", "broker", "settings"));
    MAY_IMPORT.put("topology", List.of("slam", "collectives", "checkpoint", "broker", "settings"));
    MAY_IMPORT.put("web", List.of("slam", "ros", "broker", "settings"));
    MAY_IMPORT.put("sim", List.of("slam", "ros", "gateway"));
    MAY_IMPORT.put("deploy", List.of("broker", "topology", "settings"));
    MAY_IMPORT.put("run", allBut("cli", "bench"));
    MAY_IMPORT.put("cli", allBut("bench"));
    MAY_IMPORT.put("bench", MODULES);

    WITHOUT.put("settings", List.of(SERVERS));
    WITHOUT.put("slam", List.of(SERVERS));
    WITHOUT.put("ros", List.of(STORM, RABBITMQ, QPID, ZOOKEEPER, CURATOR));
    WITHOUT.put("collectives", List.of(STORM));
    WITHOUT.put("checkpoint", List.of(STORM));
    WITHOUT.put("broker", List.of(STORM));
    WITHOUT.put("gateway", List.of(STORM));
    WITHOUT.put("sim", List.of(STORM, RABBITMQ, QPID, ZOOKEEPER, CURATOR));
    for (String module : MODULES) {
      if (!module.equals("cli") && !module.equals("bench")) {
        WITHOUT.merge(module, List.of(PICOCLI), ArchitectureTest::concatenated);
      }
    }
  }

  /** Packages whose results must be the same to the last bit on every machine. */
  private static final String[] EXACT = {
    "org.cartostream.slam.geometry..",
    "org.cartostream.slam.graph..",
    "org.cartostream.slam.localisation..",
    "org.cartostream.slam.map..",
    "org.cartostream.slam.mapping..",
    "org.cartostream.slam.match..",
    "org.cartostream.slam.motion..",
    "org.cartostream.slam.odometry..",
    "org.cartostream.slam.particle..",
    "org.cartostream.slam.preprocess..",
    "org.cartostream.slam.trajectory.."
  };

  /** Makes odometry of a robot's messages. */
  private static final String GATEWAY_ROS = "org.cartostream.gateway.ros..";

  /** Those of {@link Math}'s functions whose last bit may differ between processors. */
  private static final String TRANSCENDENTAL =
      "sin|cos|tan|asin|acos|atan|atan2|exp|expm1|log|log1p|log10|pow|cbrt|sinh|cosh|tanh|hypot";

  @Test
  void allModulesAreSeen() {
    for (String module : MODULES) {
      assertThat(MainCode.CLASSES).as(module).anyMatch(in(module)::test);
    }
    assertThat(MainCode.CLASSES)
        .as("classes outside the modules")
        .allMatch(each -> MODULES.stream().anyMatch(module -> in(module).test(each)));
  }

  @Test
  void modulesImportOnlyWhatTheDesignAllows() {
    MAY_IMPORT.forEach(
        (module, allowed) ->
            noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat(
                    resideInAPackage(OURS)
                        .and(
                            DescribedPredicate.describe(
                                "are in another module than " + allowed,
                                each ->
                                    !in(module).test(each)
                                        && allowed.stream().noneMatch(one -> in(one).test(each)))))
                .check(MainCode.CLASSES));
  }

  @Test
  void benchImportsNoCommandOfCli() {
    noClasses()
        .that(in("bench").or(resideInAnyPackage(WITHOUT_COMMANDS)))
        .should()
        .dependOnClassesThat(
            in("cli").and(DescribedPredicate.not(resideInAnyPackage(WITHOUT_COMMANDS))))
        .check(MainCode.CLASSES);
  }

  @Test
  void modulesDoWithoutTheLibrariesOfOthers() {
    WITHOUT.forEach(
        (module, libraries) ->
            noClasses()
                .that(in(module))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries.toArray(String[]::new))
                .check(MainCode.CLASSES));
  }

  @Test
  void packagesFormNoCycles() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass each) {
                return SliceIdentifier.of(each.getPackageName());
              }

              @Override
              public String getDescription() {
                return "the packages of " + MainCode.ROOT;
              }
            })
        .should()
        .beFreeOfCycles()
        .check(MainCode.CLASSES);
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

  @Test
  void theAssignmentKnowsNothingElseOfOurs() {
    noClasses()
        .that()
        .resideInAPackage(ASSIGNMENT)
        .should()
        .dependOnClassesThat(
            resideInAPackage(OURS)
                .and(DescribedPredicate.not(resideInAPackage(ASSIGNMENT)))
                .or(resideInAnyPackage(SERVERS)))
        .check(MainCode.CLASSES);
  }

  @Test
  void transcendentalFunctionsOnTheWayToAPoseAreStrict() {
    noClasses()
        .that(in("slam").or(resideInAPackage(GATEWAY_ROS)))
        .should()
        .callMethodWhere(
            target(owner(equivalentTo(Math.class))).and(target(nameMatching(TRANSCENDENTAL))))
        .check(MainCode.CLASSES);
  }

  @Test
  void theFilterDependsOnNoWallClockAndNoHiddenRandomNumbers() {
    for (String exact : EXACT) {
      noClasses()
          .that()
          .resideInAPackage(exact)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Random.class)
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .check(MainCode.CLASSES);
    }
  }

  private static DescribedPredicate<JavaClass> in(String module) {
    return resideInAPackage(MainCode.ROOT + "." + module + "..").as("are in " + module);
  }

  private static List<String> allBut(String... others) {
    return MODULES.stream().filter(each -> !List.of(others).contains(each)).toList();
  }

  private static List<String> concatenated(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
