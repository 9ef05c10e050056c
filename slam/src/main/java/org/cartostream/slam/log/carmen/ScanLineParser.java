package org.cartostream.slam.log.carmen;

import java.util.Set;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Scan;

/**
 * Parser of the scan lines of CARMEN's log format, as its header comments print it:
 *
 * <pre>
 * FLASER num_readings [readings] x y theta odom_x odom_y odom_theta
 *     ipc_timestamp ipc_hostname logger_timestamp
 * ROBOTLASER1 laser_type start_angle field_of_view angular_resolution maximum_range accuracy
 *     remission_mode num_readings [readings] num_remissions [remissions]
 *     laser_pose_x laser_pose_y laser_pose_theta robot_pose_x robot_pose_y robot_pose_theta
 *     laser_tv laser_rv forward_safety_dist side_safety_dist turn_axis
 *     timestamp hostname logger_timestamp
 * RAWLASER1 laser_type start_angle field_of_view angular_resolution maximum_range accuracy
 *     remission_mode num_readings [readings] num_remissions [remissions]
 *     timestamp hostname logger_timestamp
 * </pre>
 *
 * <p>Where the beams of {@code FLASER} look, {@link FrontLaserAngles} says. Odometry is {@code
 * odom_*} and {@code robot_pose_*}. The mount is the line's first pose relative to odometry's, if
 * {@link LaserPreScan} finds that it is one.
 *
 * <p>A line is used only if it has exactly the fields of its format: a stamp that was cut off looks
 * like a whole one, and one number too many shifts all poses.
 */
public final class ScanLineParser {

  public static final String FRONT_LASER = "FLASER";
  public static final String RAW_LASER = "RAWLASER1";

  /** Keywords of the lines that carry a pose. */
  public static final Set<String> POSED = Set.of(FRONT_LASER, "ROBOTLASER1");

  /**
   * Minimum range, metres. No format gives it, and all write 0 for "no reading". Hokuyo's lasers
   * write 0.001 to 0.019, too: what is less than 20 mm is an error code (SCIP 2.0, tables 3 and 4).
   */
  static final double MIN_RANGE = 0.02;

  private static final int FIELDS_AFTER_FLASER_READINGS = 9;
  private static final int FIELDS_AFTER_REMISSIONS = 14;
  private static final int FIELDS_AFTER_RAW_REMISSIONS = 3;

  private final FrontLaserAngles view;

  /**
   * @param view where the beams of {@code FLASER} lines look
   */
  public ScanLineParser(FrontLaserAngles view) {
    this.view = view;
  }

  /**
   * The reading on a line whose {@link LineReader#keyword} is {@link #RAW_LASER} or one of {@link
   * #POSED}. A {@link #RAW_LASER} line has no pose: its reading is at the origin, see {@link
   * RawLaserScans}.
   */
  public Reading parse(String line) throws UnusableLineException {
    FieldReader fieldReader = new FieldReader(line);
    String keyword = fieldReader.word("keyword");
    return switch (keyword) {
      case FRONT_LASER -> frontLaser(fieldReader);
      case RAW_LASER -> rawLaser(fieldReader);
      default -> robotLaser(fieldReader);
    };
  }

  private Reading frontLaser(FieldReader fieldReader) throws UnusableLineException {
    float[] ranges = ranges(fieldReader);
    expect(fieldReader, FIELDS_AFTER_FLASER_READINGS);
    Pose first = fieldReader.pose("pose");
    Pose odometry = fieldReader.pose("odometry");
    long stamp = fieldReader.nanos("timestamp");
    FrontLaserAngles.BeamAngles beamAngles = view.of(ranges.length);
    Scan scan =
        new Scan(
            mount(first, odometry),
            beamAngles.start(),
            beamAngles.step(),
            MIN_RANGE,
            LaserPreScan.FAR,
            ranges);
    return new Reading(stamp, odometry, scan);
  }

  private static Pose mount(Pose first, Pose odometry) {
    return first.equals(odometry) ? Pose.ORIGIN : odometry.to(first);
  }

  private static Reading robotLaser(FieldReader fieldReader) throws UnusableLineException {
    Scan scan = configured(fieldReader, FIELDS_AFTER_REMISSIONS);
    Pose laser = fieldReader.pose("laser_pose");
    Pose robot = fieldReader.pose("robot_pose");
    for (String unused : new String[] {"tv", "rv", "forward", "side", "turn_axis"}) {
      fieldReader.word(unused);
    }
    return new Reading(fieldReader.nanos("timestamp"), robot, scan.mountedAt(mount(laser, robot)));
  }

  private static Reading rawLaser(FieldReader fieldReader) throws UnusableLineException {
    Scan scan = configured(fieldReader, FIELDS_AFTER_RAW_REMISSIONS);
    return new Reading(fieldReader.nanos("timestamp"), Pose.ORIGIN, scan);
  }

  /**
   * Parses the fields from the laser's type to the remissions, after which {@code behind} fields
   * follow.
   */
  private static Scan configured(FieldReader fieldReader, int behind) throws UnusableLineException {
    fieldReader.word("laser_type");
    double startAngle = fieldReader.number("start_angle");
    fieldReader.number("field_of_view");
    double angleStep = fieldReader.number("angular_resolution");
    double maxRange = fieldReader.number("maximum_range");
    fieldReader.number("accuracy");
    fieldReader.word("remission_mode");
    float[] ranges = ranges(fieldReader);
    int remissions = fieldReader.integer("number of remissions");
    expect(fieldReader, Math.max(0L, remissions) + behind);
    for (int i = 0; i < remissions; i++) {
      fieldReader.word("remission");
    }
    return new Scan(Pose.ORIGIN, startAngle, angleStep, MIN_RANGE, maxRange, ranges);
  }

  private static float[] ranges(FieldReader fieldReader) throws UnusableLineException {
    int beams = fieldReader.integer("number of readings");
    if (beams <= 0) {
      throw new UnusableLineException(
          ReadingRefusal.NO_BEAMS.because("number of readings is " + beams));
    }
    int left = fieldReader.remaining();
    if (left < beams) {
      throw new UnusableLineException(
          ReadingRefusal.TOO_FEW_NUMBERS.because(beams + " readings announced, " + left + " left"));
    }
    float[] ranges = new float[beams];
    for (int i = 0; i < beams; i++) {
      ranges[i] = (float) fieldReader.number("reading");
    }
    return ranges;
  }

  private static void expect(FieldReader fieldReader, long needed) throws UnusableLineException {
    int left = fieldReader.remaining();
    if (left != needed) {
      ReadingRefusal why =
          left < needed ? ReadingRefusal.TOO_FEW_NUMBERS : ReadingRefusal.TOO_MANY_NUMBERS;
      throw new UnusableLineException(
          why.because(left + " fields follow the readings; " + needed + " are needed"));
    }
  }
}
