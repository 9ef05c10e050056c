package org.cartostream.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Keeps servers and processes out of {@code *Test}, which {@code scripts/test --fast} runs: what
 * needs them is an {@code *IT}.
 */
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
    assertThat(found).as("servers and processes in *Test").isEmpty();
  }

  private static boolean isQuickTest(JavaClass each) {
    String name = each.getSimpleName();
    return each.isTopLevelClass() && name.endsWith("Test") && !name.endsWith("AccuracyTest");
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
