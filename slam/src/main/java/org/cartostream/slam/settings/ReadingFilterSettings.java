package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;
import org.cartostream.slam.geometry.Pose;

/** Settings of the reading filter: which readings become key frames, and which are refused. */
public record ReadingFilterSettings(
    @Setting(
            value = "0.02",
            unit = "m",
            min = 0,
            max = 100,
            description = "Distance from the last key frame at which a reading becomes one.")
        double keyFrameMetres,
    @Setting(
            value = "0.01",
            unit = "rad",
            min = 0,
            max = 7,
            description = "Turn since the last key frame at which a reading becomes one.")
        double keyFrameRadians,
    @Setting(
            value = "10",
            unit = "m",
            min = 0,
            max = 1000,
            description =
                "Distance between two readings' odometry above which it has jumped; 2 m more for"
                    + " each second between them, 60 m at most, unless odometry is at its origin"
                    + " then, as when it was started anew.")
        double jumpMetres,
    @Setting(
            value = "0",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "Minimum range: what is nearer to the laser is the robot itself, and is left out."
                    + " Parts within 0.5 m that are in view from the first reading on, and stay"
                    + " where they are, are found without.")
        double minRangeMetres,
    @Setting(
            value = "10000",
            unit = "beams",
            min = 1,
            max = 1_000_000,
            description =
                "Maximum number of beams; a larger reading is refused, for each particle pays for"
                    + " it in time and memory. Planar lasers have a few thousand at most, several"
                    + " merged into one scan up to ten thousand.")
        int maxBeams,
    @Setting(
            value = "20",
            unit = "m",
            min = 0,
            max = 300,
            description =
                "Maximum distance to which a beam that met nothing (+Infinity, REP 117) turns"
                    + " unknown cells free; it ends at the laser's greatest range and the first"
                    + " wall, too. 0 for none. Readings without hits are drawn at odometry's pose.")
        double clearedMetres) {

  /**
   * True if a reading is a key frame.
   *
   * @param motion from the last key frame to the reading
   */
  public boolean isKeyFrame(Pose motion) {
    return Pose.ORIGIN.distance(motion) >= keyFrameMetres
        || Math.abs(motion.theta()) >= keyFrameRadians;
  }
}
