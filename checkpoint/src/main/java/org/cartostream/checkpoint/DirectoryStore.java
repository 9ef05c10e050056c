package org.cartostream.checkpoint;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of checkpoints in a folder, which several hosts may share.
 *
 * <p>A file is written under another name, forced to the disk and then renamed, so that readers see
 * all of it or nothing.
 */
public final class DirectoryStore extends NamedFilesStore {

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryStore.class);
  private static final int SLICE_BYTES = 1 << 20;

  private final Path folder;

  /** Makes a store in a folder, which the first write creates. */
  public DirectoryStore(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns the folders of all runs with checkpoints at or below a folder.
   *
   * @throws NoSuchFileException if the folder does not exist
   */
  public static List<Path> runFolders(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.getFileName() != null)
          .filter(file -> MANIFEST.matcher(file.getFileName().toString()).matches())
          .map(Path::getParent)
          .filter(folder -> folder.getFileName() != null)
          .filter(folder -> CheckpointId.canName(folder.getFileName().toString()))
          .distinct()
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  void put(String name, ByteBuffer... content) throws IOException {
    Path file = folder.resolve(name);
    requireNoLink(file.getParent());
    writeWhole(file, content);
  }

  @Override
  byte[] get(String name) throws IOException {
    try (InputStream in = Files.newInputStream(file(name), NOFOLLOW_LINKS)) {
      return in.readAllBytes();
    }
  }

  @Override
  long size(String name) throws IOException {
    return Files.size(file(name));
  }

  /** Returns a file to be read; refuses devices and pipes, whose reading might never end. */
  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    requireNoLink(file.getParent());
    if (Files.exists(file, NOFOLLOW_LINKS) && !Files.isRegularFile(file, NOFOLLOW_LINKS)) {
      throw new CheckpointException(file + " is no regular file, as all of a checkpoint are");
    }
    return file;
  }

  /**
   * Refuses a run's folder that is a symbolic link, as files outside the store might be read,
   * replaced or deleted.
   */
  private void requireNoLink(Path ofRun) throws IOException {
    if (!ofRun.equals(folder) && Files.isSymbolicLink(ofRun)) {
      throw new CheckpointException(
          "%s is a link; the folder that it leads to can be named".formatted(ofRun));
    }
  }

  @Override
  Instant time(String name) throws IOException {
    return Files.getLastModifiedTime(folder.resolve(name)).toInstant();
  }

  @Override
  List<String> files(String run) throws IOException {
    requireNoLink(folder.resolve(run));
    try (Stream<Path> files = Files.list(folder.resolve(run))) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public List<String> filesBesideRuns() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).map(f -> f.getFileName().toString()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  void remove(String name) throws IOException {
    Path file = folder.resolve(name);
    if (Files.isDirectory(file, NOFOLLOW_LINKS)) {
      LOG.warn("{} is no file of a checkpoint, and is left alone", file);
    } else {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void sweep(String run) throws IOException {
    for (String file : files(run)) {
      if (file.endsWith(UNFINISHED)) {
        remove(run + "/" + file);
      }
    }
  }

  /** Makes a hard link; the link is durable with the next file that is written into the folder. */
  @Override
  void copy(String from, String to) throws IOException {
    try {
      Files.createLink(folder.resolve(to), folder.resolve(from));
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      put(to, ByteBuffer.wrap(get(from))); // No hard links here.
    }
  }

  @Override
  String where(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public List<String> runs() throws IOException {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.filter(Files::isDirectory).map(each -> each.getFileName().toString()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public void delete(String run) throws IOException {
    super.delete(run);
    try {
      Files.deleteIfExists(folder.resolve(run));
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("{} has files of others", folder.resolve(run), e);
    }
  }

  private static void writeWhole(Path file, ByteBuffer... content) throws IOException {
    Path directory = Files.createDirectories(file.getParent());
    try {
      writeInto(directory, file, content);
    } catch (FileSystemException e) {
      throw e; // Its message names the file.
    } catch (IOException e) {
      FileStore disk = Files.getFileStore(directory);
      throw new IOException("%s on the disk %s: %s".formatted(directory, disk, e.getMessage()), e);
    }
  }

  private static void writeInto(Path directory, Path file, ByteBuffer... content)
      throws IOException {
    // The name begins with the checkpoint's numbers, so that a killed writer's file is deleted with
    // the checkpoint; of a shared part, with the run.
    Path unfinished =
        file.resolveSibling(
            file.getFileName().toString().replaceFirst("\\..*", "")
                + "."
                + UUID.randomUUID()
                + UNFINISHED);
    try {
      try (FileChannel channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        for (ByteBuffer block : content) {
          write(channel, block);
        }
        channel.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
        entries.force(true);
      }
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /**
   * Writes a block in slices: the JDK copies each slice into a direct buffer, and keeps that
   * memory.
   */
  private static void write(FileChannel channel, ByteBuffer block) throws IOException {
    for (int from = 0; from < block.remaining(); from += SLICE_BYTES) {
      int length = Math.min(SLICE_BYTES, block.remaining() - from);
      ByteBuffer slice = block.slice(block.position() + from, length);
      while (slice.hasRemaining()) {
        channel.write(slice);
      }
    }
  }
}
