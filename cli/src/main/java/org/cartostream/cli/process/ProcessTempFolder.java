package org.cartostream.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporary folder of this process, which contains those of Storm's local cluster, its ZooKeeper
 * and the embedded broker.
 *
 * <p>A process that is killed, or ended by a second Ctrl-C, leaves its folder behind; the next
 * process deletes it. Owns the folder and a lock on a file in it. The system releases the lock
 * however the process ends. Process numbers would not do to recognise dead owners, since in
 * containers different processes have the same number.
 */
final class ProcessTempFolder {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessTempFolder.class);

  /** System property that Storm's local cluster reads to find a place for its files. */
  private static final String PLACE = "java.io.tmpdir";

  private static final String PREFIX = "cartostream-process-";
  private static final String UNNAMED = "cartostream-new-";
  private static final String LOCK = "lock";

  /**
   * Channels of the locked files, kept because the garbage collector closes unreferenced channels
   * and so releases their locks.
   */
  private static final Queue<FileChannel> LOCKED = new ConcurrentLinkedQueue<>();

  /**
   * Folders of this process, which the sweep must skip: by POSIX, a process that closes any channel
   * of a lock file gives up its lock.
   */
  private static final Set<Path> MADE = ConcurrentHashMap.newKeySet();

  private ProcessTempFolder() {}

  /**
   * Creates the folder, which is deleted at the process's end. If that fails, temporary files go to
   * the system's folder as usual.
   */
  static void create() {
    try {
      Path parent = Path.of(System.getProperty(PLACE));
      Path folder = make(parent);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> tryToDelete(folder)));
      System.setProperty(PLACE, folder.toString());
      sweep(parent, folder);
    } catch (IOException e) {
      LOG.debug("no temporary folder for this process", e); // Its users will report it.
    }
  }

  /** Creates a new folder that is locked as long as this process runs. */
  static Path make(Path parent) throws IOException {
    Path unnamed = Files.createTempDirectory(parent, UNNAMED);
    FileChannel channel =
        FileChannel.open(
            unnamed.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    channel.lock();
    LOCKED.add(channel);
    // Only after locking, since other processes sweep unlocked folders with this prefix.
    String number = unnamed.getFileName().toString().substring(UNNAMED.length());
    String name = PREFIX + ProcessHandle.current().pid() + "-" + number;
    MADE.add(Path.of(name));
    return Files.move(unnamed, parent.resolve(name));
  }

  /**
   * Deletes the folders beside {@code mine} whose processes have ended, if they belong to this
   * user.
   */
  static void sweep(Path parent, Path mine) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : all) {
        // The process number in the name does not tell: containers reuse the same numbers.
        if (!MADE.contains(folder.getFileName())) {
          sweepIfLeft(folder, mine);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("what was left in {} stays", parent, e);
    }
  }

  private static void sweepIfLeft(Path folder, Path mine) {
    Path file = folder.resolve(LOCK);
    try {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          || !Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(mine))) {
        return;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
          FileLock left = channel.tryLock()) {
        if (left != null) {
          delete(folder, inside(folder));
        }
      }
    } catch (IOException e) {
      LOG.debug("{} stays", folder, e);
    }
  }

  private static void tryToDelete(Path folder) {
    try {
      delete(folder, inside(folder));
    } catch (IOException e) {
      LOG.debug("{} stays for another to sweep", folder, e);
    }
  }

  /** Returns a folder's contents without the lock, in an order in which they can be deleted. */
  static List<Path> inside(Path folder) throws IOException {
    Path lock = folder.resolve(LOCK);
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> !path.equals(folder) && !path.equals(lock))
          .sorted(Comparator.reverseOrder())
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Deletes a folder's contents, then the lock, then the folder. The lock is deleted last, because
   * a folder without one is never swept.
   */
  static void delete(Path folder, List<Path> inside) throws IOException {
    for (Path path : inside) {
      Files.deleteIfExists(path);
    }
    Path lock = folder.resolve(LOCK);
    Files.deleteIfExists(lock);
    try {
      Files.delete(folder);
    } catch (DirectoryNotEmptyException e) { // A file was created in it meanwhile.
      Files.createFile(lock);
      throw e;
    }
  }
}
