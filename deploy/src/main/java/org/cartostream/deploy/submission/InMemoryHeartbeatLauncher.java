package org.cartostream.deploy.submission;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.storm.container.DefaultResourceIsolationManager;
import org.apache.storm.daemon.supervisor.ExitCodeCallback;
import org.apache.storm.utils.ConfigUtils;
import org.cartostream.deploy.host.Host;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Launcher of a supervisor's workers (Storm's {@code storm.resource.isolation.plugin}) that keeps
 * the files of a worker's heartbeats in memory, in {@code /dev/shm}, and not on the disk of {@code
 * storm.local.dir}. A worker writes such a file each second, and Storm ends a worker that cannot:
 * so a full disk would end all workers of a host.
 *
 * <p>Before a worker starts, its folder of heartbeats is replaced by a link to a folder in memory,
 * which is deleted when Storm cleans up after the worker. The files are small, and 120 at most.
 * Where there is no {@code /dev/shm} they stay on the disk.
 */
public final class InMemoryHeartbeatLauncher extends DefaultResourceIsolationManager {

  private static final Logger LOG = LoggerFactory.getLogger(InMemoryHeartbeatLauncher.class);
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Beginning of a folder's name, before the worker's id, which is random. */
  private static final String PREFIX = "cartostream-heartbeats-";

  @Override
  public void launchWorkerProcess(
      String user,
      String topology,
      Map<String, Object> topologyConf,
      int port,
      String worker,
      List<String> command,
      Map<String, String> environment,
      String logPrefix,
      ExitCodeCallback onExit,
      File folder)
      throws IOException {
    keepInMemory(Path.of(ConfigUtils.workerHeartbeatsRoot(conf, worker)), inMemory(worker));
    super.launchWorkerProcess(
        user,
        topology,
        topologyConf,
        port,
        worker,
        command,
        environment,
        logPrefix,
        onExit,
        folder);
  }

  /**
   * Replaces a worker's folder, which Storm has made and nothing is in yet, by a link to memory.
   */
  private static void keepInMemory(Path onDisk, Path inMemory) {
    try {
      Files.createDirectory(
          inMemory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.deleteIfExists(onDisk);
      Files.createSymbolicLink(onDisk, inMemory);
    } catch (IOException e) { // If the folder is missing now, Storm makes it anew.
      LOG.warn("heartbeats stay in {}, and end the worker if its disk is full: {}", onDisk, e);
    }
  }

  @Override
  public void cleanup(String user, String worker, int port) throws IOException {
    super.cleanup(user, worker, port);
    Path onDisk = Path.of(ConfigUtils.workerHeartbeatsRoot(conf, worker));
    if (Files.isSymbolicLink(onDisk)) { // First: Storm would not find a link that leads nowhere.
      Files.delete(onDisk);
    }
    Path inMemory = inMemory(worker);
    if (Files.isDirectory(inMemory, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(inMemory)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(inMemory);
    }
  }

  private static Path inMemory(String worker) {
    return MEMORY.resolve(PREFIX + worker);
  }

  /**
   * Returns the shell command that deletes the heartbeats in memory of all workers of a supervisor
   * that has ended.
   *
   * @param local the supervisor's {@code storm.local.dir}
   */
  public static String deletion(Path local) {
    return "for each in %s/workers/*; do rm -rf %s\"${each##*/}\"; done\n"
        .formatted(Host.quoted(local.toString()), MEMORY.resolve(PREFIX));
  }
}
