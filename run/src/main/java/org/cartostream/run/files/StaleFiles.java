package org.cartostream.run.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Set;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.log.LogEntry;

/**
 * Files of an older run in the output folder. They are deleted when the new run takes its first
 * reading: a run that fails later must not leave files that seem its own, and a run that never
 * begins, as without a broker, must not delete anything.
 */
public final class StaleFiles {

  private final Path folder;
  private final Set<String> names;
  private boolean isHeld;
  private boolean isRead;
  private boolean deleted;

  public StaleFiles(Path folder, Set<String> names) {
    this.folder = folder;
    this.names = names;
  }

  /** Keeps the files until {@link #release}, because the new run may continue the older one. */
  public void hold() {
    isHeld = true;
  }

  /**
   * Permits the deletion of the files, which are deleted at once if the first reading was taken
   * already.
   */
  public void release() {
    isHeld = false;
    deleteIfDue();
  }

  /**
   * Returns the log's entries, and deletes the files when the first is taken. {@link Iterator#next}
   * throws an {@link ExitException} if the files cannot be deleted.
   */
  public Iterator<LogEntry> deleteOnFirstReading(Iterator<LogEntry> log) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return log.hasNext();
      }

      @Override
      public LogEntry next() {
        LogEntry entry = log.next();
        isRead = true;
        deleteIfDue();
        return entry;
      }
    };
  }

  private void deleteIfDue() {
    try {
      if (isRead && !isHeld) {
        delete();
      }
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /** Returns true if the files were deleted, so that all files in the folder are the new run's. */
  public boolean areDeleted() {
    return deleted;
  }

  /**
   * Deletes the files, and temporary files that killed processes have left of them; has no effect
   * the second time.
   */
  public void delete() throws IOException {
    if (!deleted) {
      for (String name : names) {
        Files.deleteIfExists(folder.resolve(name));
        AtomicFile.sweep(folder.resolve(name));
      }
      deleted = true;
    }
  }
}
