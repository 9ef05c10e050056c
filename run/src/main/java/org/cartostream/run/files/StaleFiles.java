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
 * The files that an older run has left in a folder. A run that breaks off must not leave them to be
 * taken for its own; one that does not even begin, because there is no broker or it is interrupted
 * before, must not take them away. So they go with the first reading.
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

  /**
   * The folder's run may be what this one goes on with: its files stay until that is known, see
   * {@link #release}.
   */
  public void hold() {
    isHeld = true;
  }

  /** This run is the folder's from now on. */
  public void release() {
    isHeld = false;
    deleteIfDue();
  }

  /**
   * The log, with whose first reading they go; {@link Iterator#next} throws a {@link ExitException}
   * if they cannot be removed.
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

  /** True if they have gone, so that what is in the folder is of this run. */
  public boolean areDeleted() {
    return deleted;
  }

  /** Deletes them, and what killed writers of them have left; once. */
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
