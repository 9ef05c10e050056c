package org.cartostream.slam.log.carmen;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;

/**
 * The lasers' parameters in a CARMEN log: the mounts of the lasers on the robot, and the angle
 * between neighbouring beams of the front laser. Laser 1 is the front laser, unless {@code
 * robot_frontlaser_id} gives that another number.
 *
 * <pre>
 * PARAM robot_frontlaser_offset metres ...
 * PARAM robot_frontlaser_side_offset metres ...
 * PARAM robot_frontlaser_angular_offset radians ...
 * PARAM laser_front_laser_resolution degrees ...
 * </pre>
 *
 * <p>Owns the parameters; if a name occurs more than once, its last line counts.
 */
public final class CarmenParameters {

  public static final String KEYWORD = "PARAM";

  /** Name of the parameter for the laser's resolution, as GMapping's and MRPT's readers have it. */
  static final String RESOLUTION = "laser_front_laser_resolution";

  private static final String FRONT = "robot_frontlaser_";
  private static final String REAR = "robot_rearlaser_";
  private static final double THE_FIRST = 1;
  private static final double THE_SECOND = 2;

  private final Map<String, Double> parameters = new TreeMap<>();

  /** Takes a line that begins with {@link #KEYWORD}. */
  public void take(String line) {
    FieldReader fieldReader = new FieldReader(line);
    try {
      fieldReader.word("keyword");
      String name = fieldReader.word("name");
      if (name.startsWith(FRONT) || name.startsWith(REAR) || name.equals(RESOLUTION)) {
        double value = fieldReader.number(name);
        if (Double.isFinite(value)) {
          parameters.put(name, value);
        }
      }
    } catch (UnusableLineException e) {
      // Ignored: robot_frontlaser_use is "on" or "off".
    }
  }

  /**
   * Returns the angle between neighbouring beams of the front laser, degrees, unchecked; empty if
   * the log does not give it.
   */
  OptionalDouble frontResolution() {
    Double degrees = parameters.get(RESOLUTION);
    return degrees == null ? OptionalDouble.empty() : OptionalDouble.of(degrees);
  }

  /** Returns the mount of laser 1 on the robot; the base's own pose if the log does not give it. */
  public Pose mount() {
    return mount(name());
  }

  /** Returns the mount of the front laser, whose scans are on {@code FLASER} lines. */
  public Pose frontMount() {
    return mount(FRONT);
  }

  private Pose mount(String laser) {
    return new Pose(
        parameters.getOrDefault(laser + "offset", 0.0),
        parameters.getOrDefault(laser + "side_offset", 0.0),
        Pose.wrap(parameters.getOrDefault(laser + "angular_offset", 0.0)));
  }

  private String name() {
    boolean isFront = parameters.getOrDefault(FRONT + "id", THE_FIRST) == THE_FIRST;
    boolean isRear = parameters.getOrDefault(REAR + "id", THE_SECOND) == THE_FIRST;
    return !isFront && isRear ? REAR : FRONT;
  }

  /**
   * Returns the assumptions about the laser of {@code RAWLASER1} lines, as sentences for people.
   */
  List<String> notices() {
    String offset = name() + "offset";
    return parameters.containsKey(offset)
        ? List.of()
        : List.of(
            "the log has no PARAM "
                + offset
                + ", so the laser of its RAWLASER1 lines is taken to stand at the robot's base; if"
                + " it stands 0.2 m ahead, say so by a line 'PARAM "
                + offset
                + " 0.2' in the log");
  }
}
