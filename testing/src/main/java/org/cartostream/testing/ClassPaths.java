package org.cartostream.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Class paths on which tests run: one for most modules, and one for the modules whose main code
 * configures logging, because a {@code logback-test.xml} of another module would win over their
 * configuration. The build writes each module's own class path into {@code target/test.classpath}.
 */
final class ClassPaths {

  /** Index of the class path of modules that configure logging. */
  private static final int CONFIGURED = 1;

  private final Path root;
  private final List<Path> modules;
  private final List<Set<Path>> paths = List.of(new LinkedHashSet<>(), new LinkedHashSet<>());

  /**
   * @param root folder of the repository, whose modules must be built
   */
  ClassPaths(Path root) throws IOException {
    this.root = root;
    try (Stream<Path> folders = Files.list(root)) {
      modules =
          folders
              .filter(each -> Files.exists(each.resolve("pom.xml")))
              .filter(each -> Files.exists(each.resolve("target/test.classpath")))
              .sorted()
              .toList();
    }
    for (Path module : modules) {
      Set<Path> path = paths.get(indexOf(module));
      path.add(module.resolve("target/test-classes"));
      path.add(module.resolve("target/classes"));
    }
    for (Path module : modules) {
      Set<Path> path = paths.get(indexOf(module));
      for (Path entry : entries(module)) {
        // The module's folder of test classes is there already; its jar would be the same classes.
        if (!path.contains(entry.resolveSibling("test-classes"))) {
          path.add(entry);
        }
      }
    }
  }

  List<Path> modules() {
    return modules;
  }

  /** Returns the index of the class path that a module's tests need. */
  int indexOf(Path module) throws IOException {
    for (Path entry : entries(module)) {
      if (Files.exists(entry.resolve("logback.xml"))) {
        return CONFIGURED;
      }
    }
    return Files.exists(module.resolve("target/classes/logback.xml")) ? CONFIGURED : 0;
  }

  int count() {
    return paths.size();
  }

  List<Path> get(int index) {
    return List.copyOf(paths.get(index));
  }

  /**
   * Returns a module's class path, with folders of classes in place of our own jars of main code.
   */
  private List<Path> entries(Path module) throws IOException {
    List<Path> entries = new ArrayList<>();
    String text = Files.readString(module.resolve("target/test.classpath")).strip();
    for (String each : text.split(File.pathSeparator)) {
      Path entry = Path.of(each);
      boolean tests = each.endsWith("-tests.jar");
      entries.add(isOurs(entry) && !tests ? entry.resolveSibling("classes") : entry);
    }
    return entries;
  }

  /** Returns true if an entry is {@code MODULE/target/NAME.jar} of this repository. */
  private boolean isOurs(Path entry) {
    return entry.startsWith(root)
        && entry.getNameCount() == root.getNameCount() + 3
        && entry.getParent().endsWith("target");
  }
}
