package org.cartostream.run.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Set;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.log.LogEntry;

/**
 * The files that an older run has left in a folder. A run that breaks off must not leave them to be
 * taken for its own; one that does not even begin, because there is no broker or it is interrupted
 * before, must not take them away. So they go with the first reading.
 */
public final class StaleFiles {

  private final Path folder;
  private final Set<String> names;
  private boolean deleted;

  public StaleFiles(Path folder, Set<String> names) {
    this.folder = folder;
    this.names = names;
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
        try {
          delete();
        } catch (IOException e) {
          throw ExitException.of(e);
        }
        return entry;
      }
    };
  }

  /** True if they have gone, so that what is in the folder is of this run. */
  public boolean areDeleted() {
    return deleted;
  }

  private void delete() throws IOException {
    if (!deleted) {
      for (String name : names) {
        Files.deleteIfExists(folder.resolve(name));
      }
      deleted = true;
    }
  }
}
