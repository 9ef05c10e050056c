package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
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
    List<Relation> relations =
        LineFile.read(file, "relation", "t1 t2 dx dy dz roll pitch yaw", RelationsFile::parse);
    if (relations.isEmpty()) {
      throw new LogFormatException(file + " holds no relations");
    }
    return relations;
  }

  private static Relation parse(Fields fields) throws UnusableLine {
    long from = fields.nanos("t1");
    long to = fields.nanos("t2");
    double x = fields.number("dx");
    double y = fields.number("dy");
    fields.number("dz");
    fields.number("roll");
    fields.number("pitch");
    Pose motion = new Pose(x, y, Pose.wrap(fields.number("yaw")));
    return new Relation(from, to, Fields.finite("motion", motion));
  }
}
