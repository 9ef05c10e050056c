package org.cartostream.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

/** Finder of all test jobs: the classes of the built modules that are annotated with a group. */
final class TestCatalogue {

  private final ClassPaths classPaths;
  private final TestTimes times;

  TestCatalogue(ClassPaths classPaths, TestTimes times) {
    this.classPaths = classPaths;
    this.times = times;
  }

  List<TestJob> jobs() throws IOException {
    List<TestJob> jobs = new ArrayList<>();
    for (int index = 0; index < classPaths.count(); index++) {
      URL[] urls = classPaths.get(index).stream().map(TestCatalogue::url).toArray(URL[]::new);
      try (URLClassLoader loader = new URLClassLoader(urls)) {
        for (Path module : classPaths.modules()) {
          if (classPaths.indexOf(module) == index) {
            for (String name : classNames(module.resolve("target/test-classes"))) {
              jobs.addAll(jobs(name, module, index, loader));
            }
          }
        }
      }
    }
    return jobs;
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names of the top-level classes in a folder of class files. */
  private static List<String> classNames(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> folder.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
          .filter(name -> !name.endsWith("-info"))
          .sorted()
          .toList();
    }
  }

  private List<TestJob> jobs(String name, Path module, int classPath, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      if (TestGroup.of(type).isEmpty()) {
        return List.of();
      }
      Set<AnnotatedElement> elements = new LinkedHashSet<>();
      collect(type, elements);
      return elements.stream()
          .flatMap(each -> TestGroup.of(each).stream())
          .distinct()
          .map(
              group ->
                  new TestJob(
                      name,
                      group,
                      module.getFileName().toString(),
                      classPath,
                      elements.stream()
                          .map(group::load)
                          .max(Comparator.naturalOrder())
                          .orElseThrow(),
                      times.seconds(name, group)))
          .toList();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class " + name + " is in a folder but cannot be loaded", e);
    }
  }

  /** Collects a class, its own and inherited methods, and likewise of its nested test classes. */
  private static void collect(Class<?> type, Set<AnnotatedElement> elements) {
    elements.add(type);
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      elements.addAll(List.of(each.getDeclaredMethods()));
      for (Class<?> nested : each.getDeclaredClasses()) {
        if (nested.isAnnotationPresent(Nested.class) && !elements.contains(nested)) {
          collect(nested, elements);
        }
      }
    }
  }
}
