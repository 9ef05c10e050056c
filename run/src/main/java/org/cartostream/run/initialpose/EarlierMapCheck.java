package org.cartostream.run.initialpose;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Scan;

/**
 * Check of whether a run sees what the map has with which it goes on: it may have begun at a place
 * that looks alike. What the map does not know says nothing. Owns how long it has not fitted.
 */
final class EarlierMapCheck {

  private static final int MISFITS = 10;

  private static final double WEIGHING_METRES = 0.2;

  private static final double WEIGHING_RADIANS = StrictMath.toRadians(30);

  /** Distance of a beam's end from a wall that it met, metres, along either axis. */
  private static final double NEAR_METRES = 0.1;

  /** Share of the beams that has to end in what is known, for a scan to say anything. */
  private static final double MIN_KNOWN = 0.3;

  private final ServerMap map;
  private final double minFit;

  /** The pose at the latest weighing; null before the first. */
  private Pose weighed;

  private int misfits;

  /** Place in the log of the first scan that did not fit, of those in a row. */
  private long since;

  /**
   * @param minFit share of what the map knows that has to be there
   */
  EarlierMapCheck(ServerMap map, double minFit) {
    this.map = map;
    this.minFit = minFit;
  }

  /**
   * Looks at the next scan.
   *
   * @param pose of the base in the map's frame
   * @param place of the scan in the log
   * @return a sentence for people when the map has not fitted for long
   */
  Optional<String> look(Pose pose, Scan scan, long place) {
    boolean isWeighing =
        weighed == null
            || weighed.distance(pose) >= WEIGHING_METRES
            || Math.abs(Pose.wrap(weighed.theta() - pose.theta())) >= WEIGHING_RADIANS;
    if (!isWeighing) {
      return Optional.empty();
    }
    weighed = pose;
    double fit = fit(pose, scan);
    if (fit == 0 || fit >= minFit) {
      misfits = 0;
      return Optional.empty();
    }
    since = misfits == 0 ? place : since;
    misfits++;
    return misfits == MISFITS
        ? Optional.of(
            ("from scan %d on, what the laser sees is not what the map has with which the run goes on:"
                    + " did it begin where --at says?")
                .formatted(since))
        : Optional.empty();
  }

  /** Returns the share of what the map knows that is there; 0 if it knows too little. */
  double fit(Pose pose, Scan scan) {
    Pose laser = pose.then(scan.mount());
    int hits = 0;
    int known = 0;
    int walls = 0;
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = scan.startAngle() + i * scan.angleStep();
        double range = scan.ranges()[i];
        Pose end =
            laser.then(new Pose(range * StrictMath.cos(angle), range * StrictMath.sin(angle), 0));
        boolean isWall = isBesideWall(end);
        int cell = map.cellOf(end);
        hits++;
        known += isWall || cell >= 0 && map.isFree(cell) ? 1 : 0;
        walls += isWall ? 1 : 0;
      }
    }
    return known == 0 || known < MIN_KNOWN * hits ? 0 : (double) walls / known;
  }

  private boolean isBesideWall(Pose end) {
    int reach = (int) Math.ceil(NEAR_METRES / map.grid().resolution());
    int cell = map.cellOf(end);
    int width = map.grid().width();
    for (int row = -reach; cell >= 0 && row <= reach; row++) {
      for (int column = -reach; column <= reach; column++) {
        int x = cell % width + column;
        int other = cell + row * width + column;
        boolean isInside = x >= 0 && x < width && other >= 0 && other < map.grid().cells().length;
        if (isInside && map.isOccupied(other)) {
          return true;
        }
      }
    }
    return false;
  }
}
