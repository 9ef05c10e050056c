package org.cartostream.sim.world;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * A world for Gazebo reduced to two dimensions for our own simulation: a horizontal cut at the
 * height of the robot's laser. A box becomes its four sides, a cylinder a polygon. Planes are
 * floors, which the laser does not meet; other shapes are refused.
 *
 * @param world walls in the cut
 * @param lidar laser of the robot
 * @param start initial pose of the robot's base in the world's frame
 */
public record SdfWorld(World world, Lidar lidar, Pose start) {

  /** Names of the worlds that come with Cartostream. */
  public static final List<String> NAMES = List.of("office");

  /** Resource folder of the worlds and models, laid out for Gazebo's resource path. */
  private static final String FOLDER = "/org/cartostream/sim/gazebo/";

  /**
   * Number of corners of the polygon that stands for a cylinder: its sides lie within 1 % of the
   * radius of the circle.
   */
  private static final int CORNERS = 24;

  private static final double LEVEL_RADIANS = 1e-6;

  /** Pose in three dimensions that is turned about the vertical axis only. */
  private record LevelPose(Pose planar, double z) {

    private static final LevelPose ORIGIN = new LevelPose(Pose.ORIGIN, 0);

    LevelPose then(LevelPose inner) {
      return new LevelPose(planar.then(inner.planar), z + inner.z);
    }

    static LevelPose of(SdfElement element) {
      if (element.find("pose").isEmpty()) {
        return ORIGIN;
      }
      double[] pose = element.numbers(6, "pose");
      if (Math.abs(pose[3]) > LEVEL_RADIANS || Math.abs(pose[4]) > LEVEL_RADIANS) {
        throw new SdfException(element + " leans; only shapes that stand upright can be simulated");
      }
      return new LevelPose(new Pose(pose[0], pose[1], pose[5]), pose[2]);
    }
  }

  /** Laser with its height above the floor. */
  private record Mounted(Lidar lidar, double heightMetres) {}

  /**
   * Loads one of the worlds that come with Cartostream.
   *
   * @param name one of {@link #NAMES}
   * @throws SdfException if there is no such world, or it cannot be simulated
   */
  public static SdfWorld load(String name) {
    SdfElement world =
        resource("worlds/" + name + ".sdf")
            .find("world")
            .orElseThrow(() -> new SdfException(name + " has no <world>"));
    SdfElement robot =
        world.all("include").stream()
            .findFirst()
            .orElseThrow(() -> new SdfException(world + " includes no robot"));
    String uri = robot.find("uri").map(SdfElement::text).orElse("");
    Mounted laser = laser(resource(uri.replaceFirst("^model://", "models/") + "/model.sdf"));
    return new SdfWorld(
        cut(world, laser.heightMetres()), laser.lidar(), LevelPose.of(robot).planar());
  }

  private static SdfElement resource(String path) {
    try (InputStream in = SdfWorld.class.getResourceAsStream(FOLDER + path)) {
      if (in == null) {
        throw new SdfException("there is no " + path + " among the worlds and models");
      }
      return SdfElement.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  // --- the robot's laser -----------------------------------------------------------------------

  private static Mounted laser(SdfElement file) {
    SdfElement model =
        file.find("model").orElseThrow(() -> new SdfException(file + " has no <model>"));
    for (SdfElement link : model.all("link")) {
      for (SdfElement sensor : link.all("sensor")) {
        if (sensor.find("lidar").isPresent()) {
          LevelPose levelPose = LevelPose.of(link).then(LevelPose.of(sensor));
          return new Mounted(lidar(sensor, levelPose.planar()), levelPose.z());
        }
      }
    }
    throw new SdfException(model + " has no sensor with a <lidar>");
  }

  private static Lidar lidar(SdfElement sensor, Pose mount) {
    SdfElement lidar = sensor.find("lidar").orElseThrow();
    int beams = (int) lidar.number("scan", "horizontal", "samples");
    double first = lidar.number("scan", "horizontal", "min_angle");
    double last = lidar.number("scan", "horizontal", "max_angle");
    return new Lidar(
        mount,
        beams,
        first,
        (last - first) / (beams - 1),
        lidar.number("range", "min"),
        lidar.number("range", "max"),
        lidar.number("noise", "stddev"),
        1 / sensor.number("update_rate"));
  }

  // --- the cut ---------------------------------------------------------------------------------

  private static World cut(SdfElement world, double height) {
    List<World.Wall> walls = new ArrayList<>();
    for (SdfElement model : world.all("model")) {
      for (SdfElement link : model.all("link")) {
        for (SdfElement collision : link.all("collision")) {
          LevelPose levelPose =
              LevelPose.of(model).then(LevelPose.of(link)).then(LevelPose.of(collision));
          walls.addAll(outline(collision, levelPose, height));
        }
      }
    }
    return new World(walls);
  }

  private static List<World.Wall> outline(
      SdfElement collision, LevelPose levelPose, double height) {
    SdfElement shape =
        collision
            .find("geometry")
            .orElseThrow(() -> new SdfException(collision + " has no <geometry>"));
    if (shape.find("box").isPresent()) {
      double[] size = shape.numbers(3, "box", "size");
      return isCut(levelPose, size[2], height)
          ? polygon(levelPose.planar(), corners(size[0] / 2, size[1] / 2))
          : List.of();
    }
    if (shape.find("cylinder").isPresent()) {
      return isCut(levelPose, shape.number("cylinder", "length"), height)
          ? polygon(levelPose.planar(), circle(shape.number("cylinder", "radius")))
          : List.of();
    }
    if (shape.find("plane").isPresent()) {
      return List.of();
    }
    throw new SdfException(collision + " is neither box nor cylinder nor plane");
  }

  private static boolean isCut(LevelPose levelPose, double tall, double height) {
    return Math.abs(levelPose.z() - height) <= tall / 2;
  }

  private static double[][] corners(double x, double y) {
    return new double[][] {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  }

  private static double[][] circle(double radius) {
    double[][] corners = new double[CORNERS][];
    for (int i = 0; i < CORNERS; i++) {
      double angle = 2 * Math.PI * i / CORNERS;
      corners[i] = new double[] {radius * StrictMath.cos(angle), radius * StrictMath.sin(angle)};
    }
    return corners;
  }

  private static List<World.Wall> polygon(Pose at, double[][] corners) {
    List<World.Wall> sides = new ArrayList<>();
    for (int i = 0; i < corners.length; i++) {
      double[] next = corners[(i + 1) % corners.length];
      Pose from = at.then(new Pose(corners[i][0], corners[i][1], 0));
      Pose to = at.then(new Pose(next[0], next[1], 0));
      sides.add(new World.Wall(from.x(), from.y(), to.x(), to.y()));
    }
    return sides;
  }
}
