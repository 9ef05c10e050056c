package org.cartostream.deploy.submission;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.cartostream.topology.ScanTopology;
import org.cartostream.topology.run.FilterFactory;

/** Class path of this JVM: jars of libraries, and jars or folders of our own classes. */
public final class ClassPath {

  /** Resource of a jar with filters, which names their factory. */
  static final String FILTERS = "META-INF/services/" + FilterFactory.class.getName();

  private ClassPath() {}

  /** Returns the jars of libraries, with those that a jar's manifest names. */
  public static List<Path> libraries() {
    Set<Path> jars = new LinkedHashSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.endsWith(".jar")) {
        add(Path.of(entry).toAbsolutePath(), jars);
      }
    }
    return jars.stream().filter(jar -> !isOurs(jar)).toList();
  }

  private static void add(Path jar, Set<Path> jars) {
    if (!Files.isRegularFile(jar) || !jars.add(jar)) {
      return;
    }
    try (JarFile opened = new JarFile(jar.toFile())) {
      Manifest manifest = opened.getManifest();
      String others =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      for (String other : others == null ? new String[0] : others.split(" ")) {
        if (other.endsWith(".jar")) {
          add(Path.of(jar.toUri().resolve(URI.create(other))), jars);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + jar, e);
    }
  }

  private static boolean isOurs(Path jar) {
    try (JarFile opened = new JarFile(jar.toFile())) {
      return opened.getEntry("org/cartostream/") != null;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + jar, e);
    }
  }

  /**
   * Returns the jars of our own classes that run in a worker or, as {@link BoundTlsTransport} does,
   * in a daemon, and those with {@link FilterFactory}s; in a build they are folders.
   */
  static List<Path> ownModules() throws IOException {
    List<Path> places = new ArrayList<>();
    Stream.concat(ScanTopology.modules().stream(), Stream.of(ClassPath.class))
        .forEach(type -> places.add(placeOf(type)));
    ClassLoader loader = Thread.currentThread().getContextClassLoader(); // ServiceLoader's.
    for (URL named : Collections.list(loader.getResources(FILTERS))) {
      String url = named.toString().replaceAll("^jar:|!?/" + FILTERS + "$", "");
      places.add(Path.of(URI.create(url)));
    }
    return places.stream().distinct().toList();
  }

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(type + " comes from nowhere", e);
    }
  }
}
