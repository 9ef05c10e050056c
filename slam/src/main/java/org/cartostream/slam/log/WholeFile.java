package org.cartostream.slam.log;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * Writes a file as a whole or not at all, so that nobody ever reads half a map. Of several writers
 * of one file the last to end wins.
 */
final class WholeFile {

  /** What goes into the file. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private WholeFile() {}

  static void write(Path file, Content content) throws IOException {
    // Each writer has its own; Files.createTempFile would let none but the owner read the file.
    Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(part, CREATE_NEW, WRITE), 1 << 16)) {
        content.writeTo(out);
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
}
