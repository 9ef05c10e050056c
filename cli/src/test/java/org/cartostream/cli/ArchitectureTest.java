package org.cartostream.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The walls between the rooms, and what keeps the answer independent of where it is computed. */
class ArchitectureTest {

  private static final String OURS = "org.cartostream..";
  private static final String SLAM = "org.cartostream.slam..";
  private static final String BROKER = "org.cartostream.broker..";
  private static final String GATEWAY = "org.cartostream.gateway..";

  /** Makes odometry of what a robot or a bag tells. */
  private static final String ROS = "org.cartostream.gateway.ros..";

  private static final String TOPOLOGY = "org.cartostream.topology..";
  private static final String COLLECTIVES = "org.cartostream.topology.collectives..";
  private static final String ASSIGNMENT = "org.cartostream.topology.assignment..";
  private static final String CLI = "org.cartostream.cli..";
  private static final String STORM = "org.apache.storm..";

  private static final String[] SERVERS = {
    STORM,
    "com.rabbitmq..",
    "org.apache.qpid..",
    "org.apache.zookeeper..",
    "org.apache.curator..",
    "org.ros.."
  };

  /** Packages whose results must be the same to the last bit on every machine. */
  private static final String[] EXACT = {
    "org.cartostream.slam.geometry..",
    "org.cartostream.slam.filter..",
    "org.cartostream.slam.graph..",
    "org.cartostream.slam.match..",
    "org.cartostream.slam.map.."
  };

  /** Those of {@link Math}'s functions whose last bit may differ between processors. */
  private static final String TRANSCENDENTAL =
      "sin|cos|tan|asin|acos|atan|atan2|exp|expm1|log|log1p|log10|pow|cbrt|sinh|cosh|tanh|hypot";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.cartostream");

  @Test
  void allRoomsAreSeen() {
    for (String room : List.of("slam", "broker", "gateway", "topology", "cli")) {
      String name = "org.cartostream." + room;
      assertThat(ALL).as(room).anyMatch(each -> each.getPackageName().startsWith(name));
    }
  }

  @Test
  void slamImportsNothingOfOursAndNoServer() {
    noClasses()
        .that()
        .resideInAPackage(SLAM)
        .should()
        .dependOnClassesThat(
            resideInAPackage(OURS).and(not(resideInAPackage(SLAM))).or(resideInAnyPackage(SERVERS)))
        .check(ALL);
  }

  @Test
  void theBrokersRoomImportsOnlySlam() {
    noClasses()
        .that()
        .resideInAPackage(BROKER)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(GATEWAY, TOPOLOGY, CLI, STORM)
        .check(ALL);
  }

  @Test
  void gatewayAndTopologyShareOnlyWhatCrossesTheBroker() {
    noClasses()
        .that()
        .resideInAPackage(GATEWAY)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(TOPOLOGY, STORM)
        .check(ALL);
    noClasses()
        .that()
        .resideInAPackage(TOPOLOGY)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(GATEWAY)
        .check(ALL);
  }

  @Test
  void collectivesKnowNoStorm() {
    noClasses()
        .that()
        .resideInAPackage(COLLECTIVES)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(STORM)
        .check(ALL);
  }

  @Test
  void theAssignmentKnowsNothingElseOfOurs() {
    noClasses()
        .that()
        .resideInAPackage(ASSIGNMENT)
        .should()
        .dependOnClassesThat(
            resideInAPackage(OURS)
                .and(not(resideInAPackage(ASSIGNMENT)))
                .or(resideInAnyPackage(SERVERS)))
        .check(ALL);
  }

  @Test
  void nothingImportsTheCommandLine() {
    classes()
        .that()
        .resideInAPackage(CLI)
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAPackage(CLI)
        .check(ALL);
  }

  @Test
  void transcendentalFunctionsOnTheWayToAPoseAreStrict() {
    noClasses()
        .that()
        .resideInAnyPackage(SLAM, ROS)
        .should()
        .callMethodWhere(
            target(owner(equivalentTo(Math.class))).and(target(nameMatching(TRANSCENDENTAL))))
        .check(ALL);
  }

  @Test
  void theFilterDependsOnNoWallClockAndNoHiddenRandomNumbers() {
    noClasses()
        .that()
        .resideInAnyPackage(EXACT)
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
        .check(ALL);
  }
}
