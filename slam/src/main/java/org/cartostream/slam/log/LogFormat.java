package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.file.FileFormatException;

/**
 * A format of recorded runs, with the settings by which its files are read. To add a format,
 * implement {@link LaserLog} and enter the format in the list of {@code
 * org.cartostream.run.files.InputLog}; errors, help and notices take their words from here.
 *
 * @param name what a log of this format is called, without an article: {@code CARMEN log}
 * @param files what a file of this format is called, with an article: {@code a g2o file with scans}
 * @param sniffer tells files of this format from others
 * @param opener opens files of this format
 * @param alone why several files cannot be one log, said behind a file's name; empty if they can
 * @param holdsReference true if a log may have a {@link LaserLog#reference}
 * @param heeds keys of the settings that only affect how logs of this and similar formats are read
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
     * @throws FileFormatException saying what is wrong with the file, in case no other format takes
     *     it
     * @throws IOException if it cannot be read
     */
    boolean takes(Path file) throws IOException;
  }

  /** Opens a file, or several, as one log. */
  public interface Opener {

    /**
     * Opens files of the format; a single one, if the format allows only one. {@link MergedLog}
     * merges by stamps.
     *
     * @throws FileFormatException if a file has no scans, or nothing of it can be read
     * @throws IOException if a file cannot be read
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
