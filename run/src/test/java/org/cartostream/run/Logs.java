package org.cartostream.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;

/** Logs to replay in tests. */
public final class Logs {

  /** The build says where the repository is; an IDE runs a module's tests in the module. */
  public static final Path ROOT =
      Path.of(System.getProperty("cartostream.root", "..")).toAbsolutePath();

  public static final Path OFFICE = ROOT.resolve("datasets/office.clf");
  public static final Path OFFICE_REFERENCE = ROOT.resolve("datasets/office.reference.tum");

  private Logs() {}

  /** The first scan lines of the office log. */
  public static List<String> office(int scans) throws IOException {
    return Files.readAllLines(OFFICE).stream()
        .filter(line -> line.startsWith("FLASER") || line.startsWith("ROBOTLASER1"))
        .limit(scans)
        .toList();
  }

  /**
   * The same as a g2o file without odometry's errors, that knows where the last scan was taken,
   * seen from the first.
   */
  public static List<String> officeWithALoopEdge(int scans) throws IOException {
    List<StampedPose> poses = TumFile.read(OFFICE_REFERENCE);
    List<String> lasers = office(scans);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < scans; i++) {
      Pose pose = poses.get(i).pose();
      lines.add("VERTEX_SE2 " + i + " " + pose.x() + " " + pose.y() + " " + pose.theta());
      lines.add(lasers.get(i));
    }
    for (int i = 1; i < scans; i++) {
      lines.add(edge(poses, i - 1, i));
    }
    lines.add(edge(poses, 0, scans - 1));
    return lines;
  }

  private static String edge(List<StampedPose> poses, int from, int to) {
    Pose motion = poses.get(from).pose().to(poses.get(to).pose());
    return String.format(
        "EDGE_SE2 %d %d %s %s %s 500 0 0 500 0 5000",
        from, to, motion.x(), motion.y(), motion.theta());
  }

  public static Path file(Path folder, List<String> lines) throws IOException {
    return Files.write(folder.resolve("my.clf"), lines);
  }
}
