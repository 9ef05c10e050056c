package org.cartostream.deploy.submission;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Jar that a cluster is given: the classes of slam, broker-config and topology, and no library.
 * Libraries are in the workers' {@link StormHome}.
 */
public final class TopologyJar {

  private TopologyJar() {}

  /**
   * Writes the jar from the classes that this JVM runs.
   *
   * @return the file
   */
  public static Path write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (Path place : ClassPath.ownModules()) {
        if (Files.isDirectory(place)) {
          pack(place, jar);
        } else {
          try (FileSystem packed = FileSystems.newFileSystem(place)) {
            pack(packed.getPath("/"), jar);
          }
        }
      }
    }
    return file;
  }

  private static void pack(Path root, JarOutputStream jar) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path path : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = root.relativize(path).toString();
        // Services are plug-ins, which workers find by these files.
        if (!name.startsWith("META-INF/") || name.startsWith("META-INF/services/org.cartostream.")) {
          ZipEntry entry = new ZipEntry(name);
          entry.setTime(0); // The same classes make the same jar.
          jar.putNextEntry(entry);
          Files.copy(path, jar);
          jar.closeEntry();
        }
      }
    }
  }
}
