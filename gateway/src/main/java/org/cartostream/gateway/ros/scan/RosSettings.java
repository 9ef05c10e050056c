package org.cartostream.gateway.ros.scan;

import java.util.concurrent.TimeUnit;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.settings.Setting;

/** Settings of the gateway of a robot that speaks ROS. Frames have the names of slam_gmapping. */
public record RosSettings(
    @Setting(value = "base_link", description = "Frame of the robot's base.") String baseFrame,
    @Setting(
            value = "odom",
            description = "Frame of odometry; its transform to the base is the pose by odometry.")
        String odomFrame,
    @Setting(value = "map", description = "Frame of the map.") String mapFrame,
    @Setting(
            value = "0",
            unit = "m",
            min = 0,
            description =
                "Maximum range that is used (GMapping's maxUrange): longer ranges are cut off, and"
                    + " count as free up to here; 0 for that of the scan itself.")
        double maxUsableRangeMetres,
    @Setting(
            value = "0.02",
            unit = "m",
            min = 0,
            description =
                "Distance since the last scan sent after which another is sent (linearUpdate).")
        double linearUpdateMetres,
    @Setting(value = "0.01", unit = "rad", min = 0, description = "Turn until a scan is sent.")
        double angularUpdateRadians,
    @Setting(
            value = "-1",
            unit = "s",
            description = "Time until another scan is sent (temporalUpdate); below 0 for never.")
        double temporalUpdateSeconds,
    @Setting(
            value = "0",
            unit = "s",
            min = 0,
            max = 60,
            description = "Minimum time between two scans that are sent.")
        double minIntervalSeconds,
    @Setting(
            value = "1",
            min = 1,
            max = 1000,
            description = "Stride through the scans: 1 uses each, 2 every second one.")
        int throttleScans,
    @Setting(
            value = "500",
            unit = "ms",
            min = 0,
            max = 60000,
            description =
                "Maximum time that a live scan waits for the odometry of its time; in a bag all is"
                    + " read that is needed.")
        int odometryWaitMillis,
    @Setting(
            value = "20",
            min = 1,
            max = 1000,
            description =
                "Maximum number of live scans that wait for odometry; then the oldest is refused.")
        int waitingScans,
    @Setting(
            value = "0.05",
            unit = "s",
            min = 0,
            max = 10,
            description =
                "Period of the transform from map to odom, 0.005 s at least; 0 for no transforms.")
        double transformPeriodSeconds,
    @Setting(
            value = "0.05",
            unit = "s",
            min = 0,
            max = 10,
            description =
                "Time by which map to odom is stamped ahead, to hold until the next transform.")
        double transformDelaySeconds,
    @Setting(
            value = "0.25",
            min = 0,
            max = 1,
            description = "Probability above which a cell of /map is occupied (occ_thresh).")
        double occupiedShare,
    @Setting(
            value = "",
            description =
                "Topic of the laser in a bag; empty for the only one, or /scan of several. (A live"
                    + " robot's is remapped, by scan:=NAME.)")
        String bagScanTopic,
    @Setting(
            value = "",
            description =
                "Topic of the odometry in a bag, of transforms or of nav_msgs/Odometry; empty for"
                    + " /tf, or the only topic of transforms, if it has odometry; else for the only"
                    + " one of nav_msgs/Odometry, or /odom of several.")
        String bagOdometryTopic,
    @Setting(
            value = "true",
            description =
                "Whether scans whose beams were measured one after another (time_increment,"
                    + " scan_time) are undistorted by odometry, as soon as they prove to be such.")
        boolean undistortSweeps,
    @Setting(
            value = "0",
            unit = "s",
            min = -5,
            max = 5,
            description =
                "Lag of the scans' stamps behind odometry's, which is subtracted from them; below 0"
                    + " if scans are stamped too early.")
        double laserLagSeconds,
    @Setting(
            value = "false",
            description =
                "Whether the robot's time is simulated, and comes on /clock; else it is taken from"
                    + " the stamps of its messages.")
        boolean simulatedTime,
    LaserMountSettings mount) {

  private static final double MIN_PERIOD_SECONDS = 0.005;

  /**
   * @throws IllegalArgumentException if the period of transforms is too short
   */
  public RosSettings {
    if (transformPeriodSeconds > 0 && transformPeriodSeconds < MIN_PERIOD_SECONDS) {
      throw new IllegalArgumentException(
          "ros.transformPeriodSeconds: "
              + transformPeriodSeconds
              + " s is too short; it must be at least "
              + MIN_PERIOD_SECONDS
              + " s, or 0 for no transforms at all");
    }
  }

  /**
   * Returns a scan with the true time of measurement as its stamp, which may lag by {@link
   * #laserLagSeconds}.
   */
  public LaserScan withTrueStamp(LaserScan scan) {
    long lag = Math.round(laserLagSeconds * TimeUnit.SECONDS.toNanos(1));
    return lag == 0 ? scan : scan.stampedAt(scan.header().stamp() - lag);
  }
}
