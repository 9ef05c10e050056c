package org.cartostream.slam.trajectory;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.LineFile;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.ReadingRefusal;

/**
 * Trajectories in the text format of TUM's RGB-D benchmark: {@code t x y z qx qy qz qw} on each
 * line, seconds, metres and a unit quaternion; {@code #} begins a comment.
 *
 * <p>Equal poses give equal bytes on every machine: stamps are exact to the nanosecond, other
 * numbers have nine decimals.
 */
public final class TumFile {

  /** Form of a line, for people, with advice how to convert other formats. */
  public static final String FORM =
      "TUM's form, 't x y z qx qy qz qw' with t in seconds, metres, blanks between the numbers (of"
          + " EuRoC's CSV divide the first column by 1e9 and leave out the commas; KITTI's poses have"
          + " no stamps: put the times before them)";

  /** Number of fields of one of KITTI's poses: a matrix of three rows and four columns. */
  private static final int KITTI_FIELDS = 12;

  private TumFile() {}

  /** One line, without its end. */
  public static String line(StampedPose stamped) {
    Pose pose = stamped.pose();
    return String.format(
        Locale.ROOT,
        "%s %.9f %.9f 0 0 0 %.9f %.9f",
        BigDecimal.valueOf(stamped.stampNanos(), 9).toPlainString(),
        pose.x(),
        pose.y(),
        StrictMath.sin(pose.theta() / 2),
        StrictMath.cos(pose.theta() / 2));
  }

  /** Writes a trajectory; readers see the old file or the whole new one. */
  public static void write(Path file, List<StampedPose> trajectory) throws IOException {
    AtomicFile.write(
        file,
        out -> {
          for (StampedPose stamped : trajectory) {
            out.write((line(stamped) + "\n").getBytes(StandardCharsets.US_ASCII));
          }
        });
  }

  /**
   * Returns true if a file's first line that is no comment begins with a number, as in no log.
   * {@link #read} checks whether the lines are poses.
   */
  public static boolean isTrajectory(Path file) throws IOException {
    try (LineReader lines = new LineReader(Files.newInputStream(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        String first = LineReader.keyword(line);
        if (!first.isEmpty() && !first.startsWith("#")) {
          return first.matches("[+-]?[0-9][0-9.eE+-]*[,;]?.*");
        }
      }
      return false;
    }
  }

  /**
   * Reads a trajectory, in the order of its lines. Poses are seen from above: height, roll and
   * pitch are dropped.
   *
   * @throws FileFormatException naming the first line that is no pose, and what would be one
   */
  public static List<StampedPose> read(Path file) throws IOException {
    return LineFile.read(file, "pose", FORM, TumFile::parse);
  }

  private static StampedPose parse(FieldReader fieldReader) throws UnusableLineException {
    if (fieldReader.remaining() == KITTI_FIELDS) {
      throw new UnusableLineException(
          ReadingRefusal.TOO_MANY_NUMBERS.because("it has 12 numbers, as KITTI's poses"));
    }
    long stamp = fieldReader.nanos("stamp");
    double x = fieldReader.number("x");
    double y = fieldReader.number("y");
    fieldReader.number("z");
    double theta =
        yaw(
            fieldReader.number("qx"),
            fieldReader.number("qy"),
            fieldReader.number("qz"),
            fieldReader.number("qw"));
    return new StampedPose(stamp, FieldReader.finite("pose", new Pose(x, y, theta)));
  }

  /** Returns the heading of a quaternion of any length; NaN for length 0. */
  private static double yaw(double x, double y, double z, double w) {
    double sin = 2 * (w * z + x * y);
    double cos = w * w + x * x - y * y - z * z;
    return sin == 0 && cos == 0 ? Double.NaN : Pose.wrap(StrictMath.atan2(sin, cos));
  }
}
