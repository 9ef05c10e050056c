package org.cartostream.slam.eval;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.LineFile;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.RelativePose;

/**
 * Relations as the SLAM benchmark of Kümmerle et al. (2009) publishes them: {@code t1 t2 dx dy dz
 * roll pitch yaw} on each line, in seconds, metres and radians.
 */
public final class RelationsFile {

  private RelationsFile() {}

  /**
   * Reads all relations; what leaves the plane (dz, roll, pitch) is dropped.
   *
   * @throws FileFormatException naming the first line that is no relation, or if there is none
   */
  public static List<RelativePose> read(Path file) throws IOException {
    List<RelativePose> relativePoses =
        LineFile.read(file, "relation", "t1 t2 dx dy dz roll pitch yaw", RelationsFile::parse);
    if (relativePoses.isEmpty()) {
      throw new FileFormatException(file + " holds no relations");
    }
    return relativePoses;
  }

  private static RelativePose parse(FieldReader fieldReader) throws UnusableLineException {
    long from = fieldReader.nanos("t1");
    long to = fieldReader.nanos("t2");
    double x = fieldReader.number("dx");
    double y = fieldReader.number("dy");
    fieldReader.number("dz");
    fieldReader.number("roll");
    fieldReader.number("pitch");
    Pose motion = new Pose(x, y, Pose.wrap(fieldReader.number("yaw")));
    return new RelativePose(from, to, FieldReader.finite("motion", motion));
  }
}
