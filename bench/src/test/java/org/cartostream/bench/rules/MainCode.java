package org.cartostream.bench.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The main code of all modules, as class files and as source files, for the rules over them. */
final class MainCode {

  static final String ROOT = "org.cartostream";

  static final Path PROJECT = Path.of(System.getProperty("cartostream.root", ".."));

  /** Neither test classes, nor the test jars of others, nor the runner of tests. */
  static final JavaClasses CLASSES =
      imported(
              new ClassFileImporter()
                  .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                  .withImportOption(location -> !location.contains("-tests.jar")),
              importer -> importer.importPackages(ROOT))
          .that(not(resideInAPackage(ROOT + ".testing..")));

  private MainCode() {}

  /** Imports our classes alone: of those of others the names are enough, and quicker to have. */
  static JavaClasses imported(
      ClassFileImporter importer, Function<ClassFileImporter, JavaClasses> classes) {
    return ArchConfiguration.withThreadLocalScope(
        configuration -> {
          configuration.setResolveMissingDependenciesFromClassPath(false);
          return classes.apply(importer);
        });
  }

  /** The top-level classes. */
  static Stream<JavaClass> topLevel() {
    return CLASSES.stream()
        .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"));
  }

  /** The modules: folders of the project with a POM. */
  static List<Path> modules() {
    try (Stream<Path> folders = Files.list(PROJECT)) {
      return folders.filter(each -> Files.exists(each.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Java files under a folder of every module that has it, such as {@code src/main/java}. */
  static List<Path> sources(String folder) {
    return modules().stream()
        .map(module -> module.resolve(folder))
        .filter(Files::isDirectory)
        .flatMap(MainCode::javaFiles)
        .toList();
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(each -> each.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
