package org.cartostream.slam.file;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A file that is written as a whole or not at all, so that nobody ever reads half a map. If several
 * writers write one file, the last to finish wins.
 *
 * <p>A killed writer leaves a file {@code NAME.UUID.part}. A later writer of the same file deletes
 * it when nobody has written to it for an hour; {@link #sweep} deletes it at once.
 */
public final class AtomicFile {

  private static final Duration LONG_LEFT = Duration.ofHours(1);
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final String ENDING = ".part";

  /** Writer of a file's content. */
  public interface ContentWriter {
    void writeTo(OutputStream out) throws IOException;
  }

  private AtomicFile() {}

  /**
   * @throws IOException if it cannot be written; names the file, and its disk where that fails
   */
  public static void write(Path file, ContentWriter contentWriter) throws IOException {
    try {
      writeWhole(file, contentWriter);
    } catch (FileSystemException e) {
      throw e; // It names the file.
    } catch (IOException e) {
      throw new IOException(
          "%s on the disk %s: %s".formatted(file, DiskName.of(file), e.getMessage()), e);
    }
  }

  private static void writeWhole(Path file, ContentWriter contentWriter) throws IOException {
    // Each writer has its own part file; Files.createTempFile would make it readable by its owner
    // only.
    Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ENDING);
    sweep(file, Instant.now().minus(LONG_LEFT));
    try {
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(part, CREATE_NEW, WRITE), 1 << 16)) {
        contentWriter.writeTo(out);
      }
      try {
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Deletes the {@code .part} files that killed writers left. Nobody may be writing the file. */
  public static void sweep(Path file) {
    sweep(file, Instant.MAX);
  }

  /**
   * Deletes {@code .part} files older than {@code old}; another process may be writing younger
   * ones.
   */
  private static void sweep(Path file, Instant old) {
    Path folder = file.toAbsolutePath().getParent();
    try (DirectoryStream<Path> parts =
        Files.newDirectoryStream(folder, each -> isPartOf(file, each))) {
      for (Path part : parts) {
        if (Files.getLastModifiedTime(part).toInstant().isBefore(old)) {
          Files.deleteIfExists(part);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another process may have deleted it first. If the folder is unusable, write() reports that.
    }
  }

  private static boolean isPartOf(Path file, Path other) {
    String start = file.getFileName() + ".";
    String name = other.getFileName().toString();
    return name.startsWith(start)
        && name.endsWith(ENDING)
        && name.length() > start.length() + ENDING.length()
        && UUID_FORM
            .matcher(name.substring(start.length(), name.length() - ENDING.length()))
            .matches();
  }
}
