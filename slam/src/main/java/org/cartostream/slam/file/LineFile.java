package org.cartostream.slam.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Text files with one thing on each line; blank lines and comments ({@code #}) are passed over. */
public final class LineFile {

  private LineFile() {}

  /** Parser of one line's fields. */
  public interface Parser<T> {
    T parse(FieldReader fieldReader) throws UnusableLineException;
  }

  /**
   * Reads all things, in the order of their lines.
   *
   * @param what name of what a line holds, for the message: "pose"
   * @param form how its line looks, for the message: "t x y"
   * @throws FileFormatException naming the first line that cannot be parsed
   */
  public static <T> List<T> read(Path file, String what, String form, Parser<T> parser)
      throws IOException {
    List<T> things = new ArrayList<>();
    try (LineReader lineReader = new LineReader(Files.newInputStream(file))) {
      for (String line = lineReader.next(); line != null; line = lineReader.next()) {
        String keyword = LineReader.keyword(line);
        if (!keyword.isEmpty() && !keyword.startsWith("#")) {
          try {
            things.add(parser.parse(new FieldReader(line)));
          } catch (UnusableLineException e) {
            String where = file + ", line " + lineReader.number();
            String why = "no " + what + ": " + e.why().detail();
            throw new FileFormatException(where + ": " + why + "; " + form + " is needed", e);
          }
        }
      }
    }
    return things;
  }
}
