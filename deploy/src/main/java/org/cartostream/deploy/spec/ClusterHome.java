package org.cartostream.deploy.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;

/**
 * Folder of a cluster: its specification, its secrets, and a folder for each host. Nobody but its
 * owner may look into it.
 *
 * @param folder absolute path, which is the same on hosts that have other files than this machine
 */
public record ClusterHome(Path folder) {

  /** Environment variable with the folder, used if the command line names none. */
  public static final String VARIABLE = "CARTOSTREAM_CLUSTER";

  private static final String MARK = "CARTOSTREAM_CLUSTER_HOST";
  private static final String SECRETS = "secrets";
  private static final String CLIENT = "client";
  private static final String SERVICES = "services";
  private static final String DRAINED = "drained";
  private static final String CHECKPOINTS = "checkpoint";

  /** Names that no host can have, as folders of these names hold something else. */
  static final Set<String> RESERVED_NAMES = Set.of(SECRETS, CLIENT, SERVICES, DRAINED, CHECKPOINTS);

  /**
   * Returns the folder that {@code named} means; if that is empty, the environment's or the usual
   * one.
   */
  public static ClusterHome of(String named) {
    String fromEnvironment = System.getenv().getOrDefault(VARIABLE, "");
    Path usual = Path.of(System.getProperty("user.home"), ".cartostream", "cluster");
    Path folder =
        !named.isEmpty()
            ? Path.of(named)
            : fromEnvironment.isEmpty() ? usual : Path.of(fromEnvironment);
    return new ClusterHome(folder.toAbsolutePath().normalize());
  }

  public Path planFile() {
    return folder.resolve("cluster.json");
  }

  public Path secrets() {
    return folder.resolve(SECRETS);
  }

  public Path of(Host host) {
    return folder.resolve(host.name());
  }

  /**
   * Returns the folder of what is the same on each host: the certificates of {@code
   * ClusterCertificates.client}.
   */
  public Path client() {
    return folder.resolve(CLIENT);
  }

  /**
   * Returns the folder in which each host keeps checkpoints, unless a store is named that all hosts
   * see.
   */
  public Path checkpoints() {
    return folder.resolve(CHECKPOINTS);
  }

  /** Returns the services that were submitted. */
  public SubmittedServices services() {
    return new SubmittedServices(folder.resolve(SERVICES));
  }

  /** Returns the hosts that were drained. */
  public DrainedHosts drained() {
    return new DrainedHosts(folder.resolve(DRAINED));
  }

  public boolean exists() {
    return Files.exists(planFile());
  }

  /**
   * Returns the specification of the cluster in this folder.
   *
   * @throws ClusterException if there is no cluster
   */
  public ClusterSpec plan() {
    if (!exists()) {
      throw new ClusterException(
          "there is no cluster in " + folder + "; 'cartostream cluster up' makes one");
    }
    try {
      return ClusterSpec.read(planFile());
    } catch (IOException e) {
      throw new ClusterException(planFile() + " is damaged: " + e.getMessage(), e);
    }
  }

  /**
   * Takes the folder for a cluster, with which it will be deleted.
   *
   * @throws ClusterException if something is in the folder already
   */
  public void claim() {
    Set<PosixFilePermission> ours = PosixFilePermissions.fromString("rwx------");
    try {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ours));
      try (Stream<Path> entries = Files.list(folder)) {
        if (entries.findAny().isPresent()) {
          throw new ClusterException(
              folder
                  + " is not empty; a cluster needs a folder of its own, for it is deleted with it");
        }
      }
      Files.setPosixFilePermissions(folder, ours);
    } catch (IOException e) {
      throw new ClusterException(folder + " cannot be a cluster's folder: " + e, e);
    }
  }

  public void create(ClusterSpec clusterSpec) throws IOException {
    Files.writeString(planFile(), clusterSpec.json());
  }

  /** Deletes the folder with everything in it. */
  public void delete() {
    if (Files.exists(folder)) {
      deleteTree(folder);
    }
  }

  private static void deleteTree(Path root) {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException e)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + root, e);
    }
  }

  /**
   * Returns the tag of every process of a host's part of this cluster, which is a variable of the
   * process' environment: name and value.
   */
  public Map.Entry<String, String> processTag(Host host) {
    return Map.entry(MARK, of(host).toString());
  }
}
