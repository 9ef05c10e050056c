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
            description = "A reading this far from the last key frame becomes one.")
        double keyFrameMetres,
    @Setting(
            value = "0.01",
            unit = "rad",
            min = 0,
            max = 7,
            description = "A reading turned this far from the last key frame becomes one.")
        double keyFrameRadians,
    @Setting(
            value = "10",
            unit = "m",
            min = 0,
            max = 1000,
            description =
                "A reading whose odometry lies farther from the last one's has jumped; two metres"
                    + " more for each second between them, 60 at most, unless odometry is at its"
                    + " origin then, as when it was started anew.")
        double jumpMetres,
    @Setting(
            value = "0",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "What a beam meets nearer to the laser than this is the robot itself, and is left"
                    + " out. Parts within 0.5 m that are in view from the first reading on, and"
                    + " stay where they are, are found without.")
        double minRangeMetres,
    @Setting(
            value = "10000",
            unit = "beams",
            min = 1,
            max = 1_000_000,
            description =
                "A reading with more beams is refused: what it costs in time and memory, each"
                    + " particle pays. Planar lasers have a few thousand at most, several merged"
                    + " into one scan up to ten thousand.")
        int maxBeams,
    @Setting(
            value = "20",
            unit = "m",
            min = 0,
            max = 300,
            description =
                "A beam of +Infinity (REP 117) met nothing: it turns unknown cells of the map free as"
                    + " far as the laser's greatest range, this, and the first wall; 0: it does not."
                    + " Readings without any hit are drawn at odometry's pose.")
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
