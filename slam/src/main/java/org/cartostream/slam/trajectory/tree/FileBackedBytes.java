package org.cartostream.slam.trajectory.tree;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.cartostream.slam.file.DiskName;

/**
 * Bytes that are kept in a file of the temporary folder instead of the heap. The file is deleted as
 * soon as it is written and mapped: the system frees its space with the last reference to the
 * bytes, or when the process ends in any way.
 */
final class FileBackedBytes {

  private static final Logger LOG = System.getLogger(FileBackedBytes.class.getName());

  private FileBackedBytes() {}

  /**
   * Returns the same bytes, read-only, in a file. If no file can be written, the bytes stay on the
   * heap, and a warning is logged.
   */
  static ByteBuffer of(byte[] bytes) {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      return written(bytes, folder);
    } catch (IOException | RuntimeException e) {
      LOG.log(
          Level.WARNING,
          ("%,d bytes of a path's scans stay in memory, for they cannot be written to %s on the disk"
                  + " %s: %s")
              .formatted(bytes.length, folder, DiskName.of(folder.resolve("any")), e));
      return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }
  }

  private static ByteBuffer written(byte[] bytes, Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "cartostream-scans-", "");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      // Written, not mapped for writing: a full disk then throws an exception instead of killing
      // the process.
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes.length);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
