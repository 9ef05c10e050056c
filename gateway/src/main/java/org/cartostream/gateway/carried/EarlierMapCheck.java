package org.cartostream.gateway.carried;

import java.util.Optional;
import java.util.OptionalDouble;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Scan;

/**
 * Check of whether a run's scans fit the earlier map that the run continues, since it may have
 * begun at a wrong place that looks alike. Beams that end in unknown cells do not count. Owns the
 * number of misfits in a row.
 */
final class EarlierMapCheck {

  private static final int MISFITS = 10;

  private static final double WEIGHING_METRES = 0.2;

  private static final double WEIGHING_RADIANS = StrictMath.toRadians(30);

  /**
   * Maximum distance along either axis from a beam's end to an occupied cell that it met, metres.
   */
  private static final double NEAR_METRES = 0.1;

  /** Minimum share of a scan's beams that must end in known cells for the scan to count. */
  private static final double MIN_KNOWN = 0.3;

  private final ServerMap map;
  private final double minFit;

  /** Pose at the latest scan that was checked; null before the first. */
  private Pose weighed;

  private int misfits;

  /** Place in the log of the first of the latest misfits in a row. */
  private long since;

  /**
   * @param minFit minimum share of the beams ending in known cells that must end at a wall
   */
  EarlierMapCheck(ServerMap map, double minFit) {
    this.map = map;
    this.minFit = minFit;
  }

  /**
   * Looks at the next scan.
   *
   * @param pose pose of the robot's base in the map's frame
   * @param place the scan's place in the log
   * @return a warning for people at the tenth misfit in a row; otherwise empty
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
    OptionalDouble fit = fit(pose, scan);
    if (fit.isEmpty() || fit.getAsDouble() >= minFit) {
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

  /**
   * Returns the share of the beams ending in known cells that end at a wall; empty if too few end
   * in known cells.
   */
  OptionalDouble fit(Pose pose, Scan scan) {
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
    return known == 0 || known < MIN_KNOWN * hits
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) walls / known);
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
