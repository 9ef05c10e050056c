package org.cartostream.deploy.submission;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Jar that a cluster is given: the classes of slam, broker-config and topology, those of jars with
 * filters of one's own, and no library. Libraries are in the workers' {@link StormHome}.
 */
public final class TopologyJar {

  private TopologyJar() {}

  /**
   * Writes the jar from the classes that this JVM runs.
   *
   * @return the file
   */
  public static Path write(Path file) throws IOException {
    Map<String, String> tables = new TreeMap<>();
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (Path place : ClassPath.ownModules()) {
        if (Files.isDirectory(place)) {
          pack(place, jar, tables);
        } else {
          try (FileSystem packed = FileSystems.newFileSystem(place)) {
            pack(packed.getPath("/"), jar, tables);
          }
        }
      }
      for (Map.Entry<String, String> table : tables.entrySet()) {
        add(table.getKey(), table.getValue().getBytes(StandardCharsets.UTF_8), jar);
      }
    }
    return file;
  }

  private static void pack(Path root, JarOutputStream jar, Map<String, String> tables)
      throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path path : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = root.relativize(path).toString();
        if (isTable(name)) {
          tables.merge(name, Files.readString(path), (one, other) -> one + "\n" + other);
        } else if (!name.startsWith("META-INF/")) {
          add(name, Files.readAllBytes(path), jar);
        }
      }
    }
  }

  /** Returns true for a table that several jars may have; what is in any of them counts. */
  private static boolean isTable(String name) {
    return name.startsWith("META-INF/services/org.cartostream.")
        || name.equals("org/cartostream/state-types");
  }

  private static void add(String name, byte[] content, JarOutputStream jar) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0); // The same classes make the same jar.
    jar.putNextEntry(entry);
    jar.write(content);
    jar.closeEntry();
  }
}
