package org.cartostream.sim.robot;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.sensor.Scan;

/**
 * Frontier-based exploration by a simulated robot (B. Yamauchi, A frontier-based approach for
 * autonomous exploration, 1997): drives to the nearest edge of the known area until there is none,
 * and back to the start.
 *
 * <p>The explorer plans in a coarse map of its own, which it draws at the robot's true poses, so
 * that errors of SLAM do not lead it astray. Nothing of this map is in the odometry and scans that
 * leave the simulation.
 */
final class FrontierExplorer {

  private static final double SPEED_METRES_A_SECOND = 0.25;
  private static final double TURN_RADIANS_A_SECOND = 0.8;

  private static final double CELL_METRES = 0.1;
  private static final double RADIUS_METRES = 0.25;
  private static final double MAX_AHEAD_METRES = 1.5;
  private static final double THERE_METRES = 0.15;

  /** Error of heading above which the robot turns on the spot, radians. */
  private static final double AHEAD_RADIANS = 0.3;

  private final SimulatedRobot robot;
  private final Pose home;
  private final double periodSeconds;
  private final RayTracedMap seen = new RayTracedMap(CELL_METRES);
  private boolean goesHome;

  /**
   * @param periodSeconds time from one scan to the next
   */
  public FrontierExplorer(SimulatedRobot robot, double periodSeconds) {
    this.robot = robot;
    this.home = robot.truth();
    this.periodSeconds = periodSeconds;
  }

  /**
   * Drives until the next scan is due.
   *
   * @param scan the robot's scan at its present pose
   * @return false if everything has been seen and the robot is back at the start
   */
  public boolean drive(Scan scan) {
    seen.trace(robot.truth(), scan);
    FrontierPlanner plan = new FrontierPlanner(seen.grid(), RADIUS_METRES, robot.truth());
    List<Pose> way = way(plan);
    if (way.isEmpty()) {
      return false;
    }
    driveTowards(ahead(plan, way));
    return true;
  }

  private List<Pose> way(FrontierPlanner plan) {
    if (!goesHome) {
      List<Pose> way = plan.toNearestFrontier(robot.truth());
      if (!way.isEmpty()) {
        return way;
      }
      goesHome = true;
    }
    return robot.truth().distance(home) < THERE_METRES ? List.of() : plan.to(home, robot.truth());
  }

  /** Returns the farthest point of the path to which the robot can drive straight. */
  private Pose ahead(FrontierPlanner plan, List<Pose> way) {
    Pose ahead = way.get(0);
    for (Pose place : way) {
      if (robot.truth().distance(place) > MAX_AHEAD_METRES || !plan.isClear(robot.truth(), place)) {
        break;
      }
      ahead = place;
    }
    return ahead;
  }

  private void driveTowards(Pose place) {
    Pose at = robot.truth();
    double heading = StrictMath.atan2(place.y() - at.y(), place.x() - at.x());
    double error = Pose.wrap(heading - at.theta());
    double max = TURN_RADIANS_A_SECOND * periodSeconds;
    double turn = Math.max(-max, Math.min(max, error));
    double rest = Math.abs(error - turn);
    double left = periodSeconds - Math.abs(turn) / TURN_RADIANS_A_SECOND;
    double metres =
        rest > AHEAD_RADIANS ? 0 : Math.min(left * SPEED_METRES_A_SECOND, at.distance(place));
    robot.move(turn, metres);
  }
}
