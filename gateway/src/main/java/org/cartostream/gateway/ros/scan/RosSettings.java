package org.cartostream.gateway.ros.scan;

import java.util.concurrent.TimeUnit;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.settings.Setting;

/** Settings of the gateway of a robot that speaks ROS. Frames have the names of slam_gmapping. */
public record RosSettings(
    @Setting(value = "base_link", description = "The robot's own frame.") String baseFrame,
    @Setting(
            value = "odom",
            description =
                "The frame of odometry: its transform to the base is the pose by odometry.")
        String odomFrame,
    @Setting(value = "map", description = "The map's frame.") String mapFrame,
    @Setting(
            value = "0",
            unit = "m",
            min = 0,
            description =
                "Ranges from here on are cut off, and count as free up to here; 0 for what the"
                    + " scan itself says.")
        double maxUsableRangeMetres,
    @Setting(
            value = "0.02",
            unit = "m",
            min = 0,
            description =
                "A scan is sent when the robot has moved this far since the last one sent ...")
        double linearUpdateMetres,
    @Setting(value = "0.01", unit = "rad", min = 0, description = "... or has turned this far ...")
        double angularUpdateRadians,
    @Setting(
            value = "-1",
            unit = "s",
            description = "... or when the last one sent is this old; below 0 for never.")
        double temporalUpdateSeconds,
    @Setting(
            value = "0",
            unit = "s",
            min = 0,
            max = 60,
            description = "A scan is not used sooner than this after the last one sent.")
        double minIntervalSeconds,
    @Setting(
            value = "1",
            min = 1,
            max = 1000,
            description = "Only every so many scans are looked at.")
        int throttleScans,
    @Setting(
            value = "500",
            unit = "ms",
            min = 0,
            max = 60000,
            description =
                "A live scan waits so long for the odometry of its time; in a bag all is read that is"
                    + " needed.")
        int odometryWaitMillis,
    @Setting(
            value = "20",
            min = 1,
            max = 1000,
            description =
                "So many live scans may wait for odometry; when there are more, the oldest goes.")
        int waitingScans,
    @Setting(
            value = "0.05",
            unit = "s",
            min = 0,
            max = 10,
            description =
                "Time from one transform from map to odom to the next, 0.005 s at least; 0 for no"
                    + " transforms.")
        double transformPeriodSeconds,
    @Setting(
            value = "0.05",
            unit = "s",
            min = 0,
            max = 10,
            description =
                "The transform is stamped so far ahead, so that it holds until the next one.")
        double transformDelaySeconds,
    @Setting(
            value = "0.25",
            min = 0,
            max = 1,
            description = "A cell with a greater probability is occupied on /map, else free.")
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
                "Topic of the odometry in a bag, one of transforms or of nav_msgs/Odometry; empty"
                    + " for /tf, or the only one of transforms, where it has some, else the only"
                    + " one, or /odom of several.")
        String bagOdometryTopic,
    @Setting(
            value = "true",
            description =
                "Scans whose beams were measured one after another (time_increment, scan_time) are"
                    + " undistorted by odometry, as soon as they prove to be such.")
        boolean undistortSweeps,
    @Setting(
            value = "0",
            unit = "s",
            min = -5,
            max = 5,
            description =
                "So much later than they were taken are scans stamped, against odometry; below 0 if"
                    + " earlier. It is taken off their stamps.")
        double laserLagSeconds,
    @Setting(
            value = "false",
            description =
                "The robot's time is simulated, and comes on /clock; else only from the stamps of"
                    + " its messages.")
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
