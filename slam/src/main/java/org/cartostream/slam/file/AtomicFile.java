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
 * A file that is written as a whole or not at all, so that nobody ever reads half a map. Of several
 * writers of one file the last to end wins.
 *
 * <p>What a killed writer leaves behind, {@code NAME.UUID.part}, the next writers of the same file
 * delete when nobody has written to it for an hour; {@link #sweep} deletes it at once.
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
    // Each writer has its own; Files.createTempFile would let none but the owner read the file.
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

  /** Deletes what killed writers of a file have left. Nobody may be writing it. */
  public static void sweep(Path file) {
    sweep(file, Instant.MAX);
  }

  /** Leaves alone what is young, as another process may be writing it, and what cannot be read. */
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
      // Another may have deleted it first. What is wrong with the folder, the writer will say.
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
