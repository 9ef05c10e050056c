package org.cartostream.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * Each test class is in one group, and quick ones start no server and no process: {@code
 * scripts/test --fast} runs them.
 */
@Quick
class TestKindsTest {

  /** Start a server, a cluster or a process, or are one; by their simple names. */
  private static final Set<String> SERVERS =
      Set.of(
          "EmbeddedBroker",
          "LocalRabbitMq",
          "LocalZooKeeper",
          "LocalService",
          "LocalStorm",
          "LocalCluster",
          "LocalDeployment",
          "LocalRosMaster",
          "LocalRosbridge",
          "TestCluster",
          "TestingServer",
          "TestingCluster",
          "ServerBroker",
          "NetworkHosts",
          "SshHosts",
          "Process",
          "ProcessBuilder",
          "ServerProcess",
          "GroupLauncher",
          "Nimbus",
          "SystemLauncher");

  private static final List<Class<? extends Annotation>> GROUPS =
      List.of(Quick.class, Default.class, Nightly.class);

  /** Annotations of methods that JUnit or jqwik runs. */
  private static final Set<String> TESTS =
      Set.of(
          "Test",
          "ParameterizedTest",
          "InEachMode",
          "RepeatedTest",
          "TestFactory",
          "Property",
          "Example");

  @Test
  void quickTestsStartNoServerAndNoProcess() {
    List<String> found = new ArrayList<>();
    for (JavaClasses module : testClasses()) {
      for (JavaClass test : module) {
        if (isQuickTest(test)) {
          servers(test, module).forEach(server -> found.add(test.getSimpleName() + ": " + server));
        }
      }
    }
    assertThat(found).as("servers and processes in quick tests").isEmpty();
  }

  @Test
  void eachTestClassIsInOneGroup() {
    List<String> found = new ArrayList<>();
    for (JavaClasses module : testClasses()) {
      for (JavaClass each : module) {
        if (each.isTopLevelClass()
            && !each.getModifiers().contains(JavaModifier.ABSTRACT)
            && hasTests(each, module)
            && GROUPS.stream().filter(group -> each.isAnnotatedWith(group)).count() != 1) {
          found.add(each.getName());
        }
      }
    }
    assertThat(found)
        .as("test classes without exactly one of @Quick, @Default, @Nightly")
        .isEmpty();
  }

  private static boolean hasTests(JavaClass test, JavaClasses module) {
    return module.stream()
        .filter(each -> each.equals(test) || each.getName().startsWith(test.getName() + "$"))
        .flatMap(each -> each.getAllMethods().stream())
        .flatMap(method -> method.getAnnotations().stream())
        .anyMatch(annotation -> TESTS.contains(annotation.getRawType().getSimpleName()));
  }

  private static boolean isQuickTest(JavaClass each) {
    return each.isTopLevelClass() && each.isAnnotatedWith(Quick.class);
  }

  /** What a test, with its nested classes and the helpers it uses, refers to. */
  private static Set<String> servers(JavaClass test, JavaClasses module) {
    Set<JavaClass> seen = new HashSet<>();
    Set<String> servers = new HashSet<>();
    Deque<JavaClass> open = new ArrayDeque<>();
    open.add(test);
    while (!open.isEmpty()) {
      JavaClass one = open.remove();
      if (!seen.add(one)) {
        continue;
      }
      module.stream()
          .filter(each -> each.getName().startsWith(one.getName() + "$"))
          .forEach(open::add);
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        if (SERVERS.contains(target.getSimpleName())) {
          servers.add(target.getName() + " in " + one.getSimpleName());
        } else if (module.contain(target.getName())) {
          open.add(module.get(target.getName()));
        }
      }
    }
    return servers;
  }

  private static List<JavaClasses> testClasses() {
    List<JavaClasses> modules = new ArrayList<>();
    for (Path module : MainCode.modules()) {
      Path classes = module.resolve("target/test-classes");
      if (Files.isDirectory(classes)) {
        modules.add(
            MainCode.imported(new ClassFileImporter(), importer -> importer.importPath(classes)));
      }
    }
    assertThat(modules).as("modules with test classes").isNotEmpty();
    return modules;
  }
}
