package org.cartostream.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Finds the jobs of the built modules: classes with one of the annotations of a group. */
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

  /** Top-level classes. */
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
      List<AnnotatedElement> elements = new ArrayList<>();
      if (TestGroup.of(type).isEmpty()) {
        return List.of();
      }
      elements.add(type);
      Set<TestGroup> groups = new LinkedHashSet<>(TestGroup.of(type));
      for (Method method : type.getDeclaredMethods()) {
        groups.addAll(TestGroup.of(method));
        elements.add(method);
      }
      return groups.stream()
          .map(
              group ->
                  new TestJob(
                      name,
                      group,
                      module.getFileName().toString(),
                      classPath,
                      elements.stream().anyMatch(group::computes),
                      locks(type),
                      times.seconds(name, group)))
          .toList();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class " + name + " is in a folder but cannot be loaded", e);
    }
  }

  private static Set<String> locks(Class<?> type) {
    return Stream.of(type.getAnnotationsByType(ResourceLock.class))
        .map(ResourceLock::value)
        .collect(Collectors.toSet());
  }
}
