package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.file.FileFormatException;

/**
 * A format of recorded runs, with the settings by which its files are read. A new one is a {@link
 * LaserLog} that says its format, and a line in the list of formats, {@code
 * org.cartostream.run.files.InputLog}: errors, help and notices take their words from it.
 *
 * @param name what a log of it is called, without an article: {@code CARMEN log}
 * @param files what its files are, with an article: {@code a g2o file with scans}
 * @param sniffer tells its files from others
 * @param opener opens them
 * @param alone why several files cannot be one log, said behind a file's name; empty if they can
 * @param holdsReference true if a log may have a {@link LaserLog#reference}
 * @param heeds keys of those settings that change nothing but how logs of this and like formats are
 *     read
 */
public record LogFormat(
    String name,
    String files,
    Sniffer sniffer,
    Opener opener,
    String alone,
    boolean holdsReference,
    List<String> heeds) {

  /** Tells a format's files from others. */
  public interface Sniffer {

    /**
     * True if a file or a folder is of the format, by its content alone.
     *
     * @throws FileFormatException with what is wrong, for the case that no other format takes it
     * @throws IOException if it cannot be read
     */
    boolean takes(Path file) throws IOException;
  }

  /** Opens a file, or several, as one log. */
  public interface Opener {

    /**
     * Opens files of the format; one, if it takes none but one. {@link MergedLog} merges by stamps.
     *
     * @throws FileFormatException if one has no scans, or nothing of it can be read
     * @throws IOException if one cannot be read
     */
    LaserLog open(List<Path> files) throws IOException;
  }

  /** Opens files of this format as one log, see {@link Opener}. */
  public LaserLog open(List<Path> logs) throws IOException {
    if (logs.size() > 1 && !alone.isEmpty()) {
      throw new FileFormatException(logs.get(0) + " " + alone);
    }
    return opener.open(logs);
  }
}
