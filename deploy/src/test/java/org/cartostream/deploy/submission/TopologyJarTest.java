package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.cartostream.testing.Quick;
import org.cartostream.topology.ScanTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes to a cluster's workers. */
@Quick
class TopologyJarTest {

  private static final String TYPES = "org/cartostream/state-types";
  private static final String OWN = "com/example/own";

  @TempDir private Path folder;

  private static String text(JarFile jar, String name) throws Exception {
    return new String(
        jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void hasOurClassesAndNoFiltersOfOthers() throws Exception {
    try (JarFile jar = new JarFile(TopologyJar.write(folder.resolve("t.jar")).toFile())) {
      assertThat(jar.getEntry(ScanTopology.class.getName().replace('.', '/') + ".class"))
          .isNotNull();
      assertThat(jar.getEntry(ClassPath.FILTERS)).isNull();
    }
  }

  /** A state's types are those of both. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hasAJarWithFilters(boolean packed) throws Exception {
    Path own = folder.resolve("own filters"); // A blank is escaped in a URL.
    if (packed) {
      try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(own))) {
        for (String name : List.of(ClassPath.FILTERS, TYPES, OWN)) {
          jar.putNextEntry(new ZipEntry(name));
          jar.write("own".getBytes(StandardCharsets.UTF_8));
        }
      }
    } else {
      for (String name : List.of(ClassPath.FILTERS, TYPES, OWN)) {
        Files.createDirectories(own.resolve(name).getParent());
        Files.writeString(own.resolve(name), "own");
      }
    }
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    try (URLClassLoader with = new URLClassLoader(new URL[] {own.toUri().toURL()}, usual)) {
      thread.setContextClassLoader(with);
      TopologyJar.write(folder.resolve("t.jar"));
    } finally {
      thread.setContextClassLoader(usual);
    }
    try (JarFile jar = new JarFile(folder.resolve("t.jar").toFile())) {
      assertThat(text(jar, OWN)).isEqualTo("own");
      assertThat(text(jar, ClassPath.FILTERS)).isEqualTo("own");
      assertThat(text(jar, TYPES).lines()).contains("own", "10 java.lang.Object");
    }
  }
}
