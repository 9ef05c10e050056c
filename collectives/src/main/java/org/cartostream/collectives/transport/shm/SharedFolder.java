package org.cartostream.collectives.transport.shm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a group in this host's {@code /dev/shm}, which only this user can enter: the socket
 * of each member, named by its rank, and the files of rings that are not open at both ends yet.
 *
 * <p>Who has a socket here is on this host: hosts, and containers with a {@code /dev/shm} of their
 * own, do not see each other's.
 *
 * @param path the folder
 */
record SharedFolder(Path path) {

  private static final Logger LOG = LoggerFactory.getLogger(SharedFolder.class);
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Set<PosixFilePermission> MINE = PosixFilePermissions.fromString("rwx------");

  /** Age from which a file is not just being made. */
  private static final Duration OLD = Duration.ofMinutes(1);

  /**
   * Makes a group's folder, or finds it, and deletes what members have left that were killed.
   *
   * @throws IOException if there is no shared memory, or others can enter the folder
   */
  static SharedFolder of(String group) throws IOException {
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Path all = own(MEMORY.resolve("cartostream-" + user), user);
    UUID name = UUID.nameUUIDFromBytes(group.getBytes(StandardCharsets.UTF_8));
    try (Stream<Path> groups = Files.list(all)) {
      for (Path each : groups.toList()) {
        sweep(each);
      }
    }
    return new SharedFolder(own(all.resolve(name.toString()), user));
  }

  /** Makes a folder for one user, or checks the one that is there. */
  static Path own(Path path, Object user) throws IOException {
    try {
      Files.createDirectory(path, PosixFilePermissions.asFileAttribute(MINE));
    } catch (FileAlreadyExistsException e) {
      LOG.debug("{} is there", path);
    }
    PosixFileAttributes there =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!there.isDirectory()
        || !there.permissions().equals(MINE)
        || !Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user)) {
      throw new IOException(
          "%s is not a folder that user %s alone can enter (it belongs to %s, %s)"
              .formatted(
                  path, user, there.owner(), PosixFilePermissions.toString(there.permissions())));
    }
    return path;
  }

  private static void sweep(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        if (isLeft(each) && Files.deleteIfExists(each)) {
          LOG.info("{} was left by a process that is gone; it is deleted", each);
        }
      }
      if (isOld(folder)) {
        Files.delete(folder);
      }
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      LOG.debug("{} is in use, or gone", folder);
    }
  }

  private static boolean isOld(Path file) throws IOException {
    Instant modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    return modified.isBefore(Instant.now().minus(OLD));
  }

  private static boolean isLeft(Path file) throws IOException {
    if (!isOld(file) || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return isOld(file);
    }
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return !socket.isConnected();
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // As when this process may open no more files.
    }
  }

  Path socketOf(int rank) {
    return path.resolve(Integer.toString(rank));
  }

  Path ring(int from, long number) {
    return path.resolve(from + "-" + Long.toHexString(number));
  }

  /** Returns a name for a file that is to be moved to another. */
  Path draft() {
    return path.resolve(UUID.randomUUID().toString());
  }

  /** Deletes the socket of a member that leaves. */
  void leave(int rank) {
    try {
      Files.deleteIfExists(socketOf(rank));
    } catch (IOException e) {
      LOG.debug("{} stays: {}", socketOf(rank), e.getMessage());
    }
  }
}
