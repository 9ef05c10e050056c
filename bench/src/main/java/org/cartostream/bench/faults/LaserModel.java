package org.cartostream.bench.faults;

import org.cartostream.sim.world.Lidar;
import org.cartostream.slam.geometry.Pose;

/**
 * Laser that robots have: view, beams and ranges as in its maker's data sheet. Mount and noise are
 * typical values; a real laser's noise grows with range, this one's does not.
 */
enum LaserModel {

  /** LDS-01 of the TurtleBot 3. */
  LDS_01(new Lidar(new Pose(-0.03, 0, 0), 360, 0, degrees(1), 0.12, 3.5, 0.015, 0.2)),

  /** RPLIDAR A1, mounted with its cable ahead. */
  RPLIDAR_A1(
      new Lidar(
          new Pose(0, 0, StrictMath.PI), 360, -StrictMath.PI, degrees(1), 0.15, 12, 0.02, 0.18)),

  /** Hokuyo URG-04LX. */
  URG_04LX(
      new Lidar(
          new Pose(0.1, 0, 0), 683, degrees(-120), degrees(240.0 / 682), 0.06, 4, 0.015, 0.1)),

  /** Hokuyo UTM-30LX. */
  UTM_30LX(
      new Lidar(new Pose(0.2, 0, 0), 1081, degrees(-135), degrees(0.25), 0.1, 30, 0.01, 0.025)),

  /**
   * Row of a Kinect's depth image, as ROS's depthimage_to_laserscan makes it; ranges beyond 6 m are
   * too noisy.
   */
  KINECT(
      new Lidar(
          new Pose(-0.1, 0, 0), 640, degrees(-28.5), degrees(57.0 / 639), 0.45, 6, 0.02, 0.033)),

  /** SICK LMS-200. */
  LMS_200(new Lidar(new Pose(0.2, 0, 0), 181, degrees(-90), degrees(1), 0.01, 80, 0.01, 0.2));

  private final Lidar lidar;

  LaserModel(Lidar lidar) {
    this.lidar = lidar;
  }

  Lidar lidar() {
    return lidar;
  }

  private static double degrees(double angle) {
    return StrictMath.toRadians(angle);
  }
}
