package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Text files with one thing on each line; blank lines and comments ({@code #}) are passed over. */
final class LineFile {

  private LineFile() {}

  /** Makes a thing of the fields of its line. */
  interface Parser<T> {
    T parse(Fields fields) throws UnusableLine;
  }

  /**
   * Reads all things, in the order of their lines.
   *
   * @param what one of them, for the message: "pose"
   * @param form how its line looks, for the message: "t x y"
   * @throws LogFormatException naming the first line that is none
   */
  static <T> List<T> read(Path file, String what, String form, Parser<T> parser)
      throws IOException {
    List<T> things = new ArrayList<>();
    try (Lines lines = new Lines(Files.newInputStream(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        String keyword = Lines.keyword(line);
        if (!keyword.isEmpty() && !keyword.startsWith("#")) {
          try {
            things.add(parser.parse(new Fields(line)));
          } catch (UnusableLine e) {
            String where = file + ", line " + lines.number();
            String why = "no " + what + ": " + e.why().detail();
            throw new LogFormatException(where + ": " + why + "; " + form + " is needed", e);
          }
        }
      }
    }
    return things;
  }
}
