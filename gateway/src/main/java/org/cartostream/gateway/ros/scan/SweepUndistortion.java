package org.cartostream.gateway.ros.scan;

import java.util.Optional;
import java.util.function.Consumer;
import org.cartostream.gateway.ros.tf.TransformLookup;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Motion undistortion (deskewing) of a laser's scans by odometry. It begins when the scans have
 * shown that their beams are measured one after another; until then they are used as they are,
 * because drivers and simulators may declare wrong times.
 *
 * <p>Owns the times and the evidence of the laser's sweeps, and whether lacking odometry was
 * reported.
 */
final class SweepUndistortion {

  private final OdometrySource odometry;
  private final Consumer<String> notes;
  private final SweepTimes times;
  private SweepEvidence evidence = new SweepEvidence();
  private boolean isSwept;
  private boolean said;

  SweepUndistortion(boolean isUsed, OdometrySource odometry, Consumer<String> notes) {
    this.odometry = odometry;
    this.notes = notes;
    this.times = new SweepTimes(isUsed, notes);
  }

  /**
   * Returns the time from one beam of the next scan to the following, nanoseconds; 0 if it counts
   * as taken at once.
   */
  double beamNanos(LaserScan scan) {
    return evidence.isAgainst() ? 0 : times.beamNanos(scan);
  }

  /** Notes the stamp of the next scan. */
  void next(LaserScan scan) {
    isSwept = beamNanos(scan) != 0;
    times.next(scan);
  }

  /**
   * True if the driver declares that the last scan was a sweep, and the evidence has not decided
   * yet.
   */
  boolean isOpen() {
    return isSwept && !evidence.isFor() && !evidence.isAgainst();
  }

  void learnFrom(SweepUndistortion other) {
    evidence = other.evidence;
  }

  /** Returns the reading to be used, undistorted or as it is; odometry at its stamp was found. */
  Reading undistorted(Reading asIs, double beamNanos) {
    if (beamNanos == 0 || evidence.isAgainst()) {
      return asIs;
    }
    Optional<Scan> scan =
        SweptScan.undistorted(
            asIs.scan(), beam -> motion(asIs, asIs.stampNanos() + (long) (beam * beamNanos)));
    if (scan.isEmpty()) {
      if (!said && evidence.isFor()) {
        said = true;
        notes.accept(
            ("odometry does not span the sweep of a scan, which lasts %s; such a scan is used as it"
                    + " is")
                .formatted(OdometrySource.seconds((long) (beamNanos * (asIs.scan().beams() - 1)))));
      }
      return asIs;
    }
    Reading undistorted = new Reading(asIs.stampNanos(), asIs.odometry(), scan.get());
    evidence.add(asIs, undistorted);
    return evidence.isFor() ? undistorted : asIs;
  }

  private Pose motion(Reading since, long atNanos) {
    return odometry.at(atNanos, false) instanceof TransformLookup.Found found
        ? since.odometry().to(found.motion().planar())
        : null;
  }
}
