package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Relations as the SLAM benchmark of Kümmerle et al. (2009) publishes them: {@code t1 t2 dx dy dz
 * roll pitch yaw} on each line, in seconds, metres and radians.
 */
public final class RelationsFile {

  private RelationsFile() {}

  /**
   * Reads all relations; what leaves the plane (dz, roll, pitch) is dropped.
   *
   * @throws LogFormatException naming the first line that is no relation, or if there is none
   */
  public static List<Relation> read(Path file) throws IOException {
    List<Relation> relations = new ArrayList<>();
    try (Lines lines = new Lines(Files.newInputStream(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        String keyword = Lines.keyword(line);
        if (!keyword.isEmpty() && !keyword.startsWith("#")) {
          relations.add(parse(file, lines.number(), line));
        }
      }
    }
    if (relations.isEmpty()) {
      throw new LogFormatException(file + " holds no relations");
    }
    return relations;
  }

  private static Relation parse(Path file, int number, String line) throws LogFormatException {
    try {
      Fields fields = new Fields(line);
      long from = fields.nanos("t1");
      long to = fields.nanos("t2");
      double x = fields.number("dx");
      double y = fields.number("dy");
      fields.number("dz");
      fields.number("roll");
      fields.number("pitch");
      return new Relation(from, to, new Pose(x, y, Pose.wrap(fields.number("yaw"))));
    } catch (UnusableLine e) {
      throw new LogFormatException(
          file
              + ", line "
              + number
              + ": no relation: "
              + e.why().detail()
              + "; t1 t2 dx dy dz roll pitch yaw is needed",
          e);
    }
  }
}
