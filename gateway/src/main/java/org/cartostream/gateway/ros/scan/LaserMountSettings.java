package org.cartostream.gateway.ros.scan;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.Vector3;
import org.cartostream.settings.Setting;

/** The laser's place on the robot, for robots whose transforms do not say it. */
public record LaserMountSettings(
    @Setting(
            value = "",
            description =
                "Frame of the laser (header.frame_id of its scans), or * for any, whose place on"
                    + " the base these settings give instead of /tf. Empty: /tf gives it.")
        String frame,
    @Setting(value = "0", unit = "m", description = "Laser's offset forwards.") double xMetres,
    @Setting(value = "0", unit = "m", description = "Laser's offset to the left.") double yMetres,
    @Setting(
            value = "0",
            unit = "degrees",
            min = -360,
            max = 360,
            description = "Heading of the laser, counter-clockwise; 180 for backwards.")
        double yawDegrees,
    @Setting(value = "false", description = "Whether the laser is upside down.")
        boolean upsideDown) {

  /** True if these settings, and not the transforms, say where a laser is. */
  boolean covers(String laserFrame) {
    return frame.equals("*") || (!frame.isEmpty() && frame.equals(laserFrame));
  }

  /** True if these settings name the frame of a different laser. */
  boolean isOfOtherThan(String laserFrame) {
    return !frame.isEmpty() && !covers(laserFrame);
  }

  /**
   * Returns a sentence if the frame in the settings is not that of a laser; empty if the settings
   * name no frame, or no laser is known.
   *
   * @param laserFrames the frames of the scans, without the leading slash of old tf
   */
  public Optional<String> mismatch(Set<String> laserFrames) {
    if (frame.isEmpty()
        || laserFrames.isEmpty()
        || !laserFrames.stream().allMatch(this::isOfOtherThan)) {
      return Optional.empty();
    }
    return Optional.of(
        "no scan has the frame '%s' that ros.mount.frame names; they have %s"
            .formatted(
                frame,
                laserFrames.stream()
                    .sorted()
                    .map(each -> "'" + each + "'")
                    .collect(Collectors.joining(", "))));
  }

  /**
   * Returns the transform from the base to the laser: a rotation about z, then for an upside-down
   * laser a half turn about x.
   */
  RigidTransform transform() {
    double half = StrictMath.toRadians(yawDegrees) / 2;
    double cos = StrictMath.cos(half);
    double sin = StrictMath.sin(half);
    return new RigidTransform(
        new Vector3(xMetres, yMetres, 0),
        upsideDown ? new Quaternion(cos, sin, 0, 0) : new Quaternion(0, 0, sin, cos));
  }

  /** Returns a sentence for people about these settings; empty if none is set. */
  public String sentence() {
    return frame.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            "the laser is taken to be at (%.3f m, %.3f m), turned by %.1f degrees%s, as ros.mount"
                + " says",
            xMetres,
            yMetres,
            yawDegrees,
            upsideDown ? " and on its head" : "");
  }
}
