package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.broker.message.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.GridExtent;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draws a run's maps, not too often, and reports if one is too large to be sent.
 *
 * <p>Owns the version that the robot holds, the time of the next map, the newest key frame that no
 * map shows, the sentence about the newest map if it is too large, and how many in a row were.
 */
final class MapPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(MapPublisher.class);

  /** A map that was refused has hardly become smaller; each time twice as much passes, to here. */
  private static final int MOST_REFUSALS = 6;

  private final Run run;
  private final int maxMessageBytes;
  private final long intervalNanos;
  private Step unmapped;
  private long nextAt;
  private String tooLarge = "";
  private int refusals;
  private long held;

  public MapPublisher(Run run, TopologySettings settings, int maxMessageBytes) {
    this.run = run;
    this.maxMessageBytes = maxMessageBytes;
    this.intervalNanos = (long) (settings.mapIntervalSeconds() * TimeUnit.SECONDS.toNanos(1));
    this.nextAt = System.nanoTime() + intervalNanos;
  }

  /** The map has changed by a key frame. */
  public void changedBy(Step keyFrame) {
    unmapped = keyFrame;
  }

  /** True if the map has changed, and its interval has passed. */
  public boolean isDue(long nanoTime) {
    return unmapped != null && nanoTime - nextAt >= 0;
  }

  /** Since when the next map may be drawn, by {@link System#nanoTime}. */
  public long dueSince() {
    return nextAt;
  }

  /** The newest key frame that no map shows. */
  public Step unmapped() {
    return unmapped;
  }

  /** A map was drawn; the next waits for its interval, or longer if this one was refused. */
  public void drawn(long nanoTime) {
    unmapped = null;
    nextAt = nanoTime + (intervalNanos << refusals);
  }

  /** The version of the map that the robot's side holds; 0 for none, as after a new start. */
  public void robotHolds(long version) {
    held = version;
  }

  /**
   * The map on the way as it is now, or what has changed since the one that the robot holds; none
   * if it is too large, which {@link #tooLarge} then tells.
   *
   * @param history of the run's maps, which takes the new one
   * @param version number of the last reading in it
   */
  public Optional<MapMessage> draw(
      TrajectoryTree trajectoryTree, MapHistory history, long version) {
    return drawUnlessTooLarge(
        trajectoryTree.currentExtent(),
        () -> {
          history.update(trajectoryTree.currentMap(), version, trajectoryTree.mapCorrection());
          return history.since(held);
        });
  }

  /** The run's last map, whole; none if it is too large, which {@link #tooLarge} then tells. */
  public Optional<MapMessage> drawLast(RayTracedMap map) {
    return drawUnlessTooLarge(map.extent(), () -> MapMessage.ofEnd(map.grid()));
  }

  /**
   * A map that the memory does not hold is one too large to be sent, and costs no more than that.
   *
   * @param gridExtent known before it is drawn: a map too large to be sent may be so for the memory
   */
  Optional<MapMessage> drawUnlessTooLarge(GridExtent gridExtent, Supplier<MapMessage> drawing) {
    if (gridExtent.cells() > MapMessage.MOST_CELLS) {
      return refuse(gridExtent, "at most " + MapMessage.MOST_CELLS + " cells can be sent");
    }
    MapMessage map;
    try {
      map = drawing.get();
    } catch (OutOfMemoryError e) {
      return refuse(gridExtent, "the memory of the service's process does not suffice to draw it");
    }
    if (map.maxBytes() > maxMessageBytes) {
      return refuse(
          gridExtent,
          map.maxBytes() + " bytes when packed, and broker.maxMessageBytes is " + maxMessageBytes);
    }
    tooLarge = "";
    refusals = 0;
    return Optional.of(map);
  }

  private Optional<MapMessage> refuse(GridExtent gridExtent, String why) {
    String sentence =
        "The map of "
            + gridExtent
            + " cells is too large to be sent ("
            + why
            + "); larger cells (slam.cellMetres) make it smaller";
    if (tooLarge.isEmpty()) {
      LOG.warn("{}: {}", run, sentence);
    }
    tooLarge = sentence;
    refusals = Math.min(refusals + 1, MOST_REFUSALS);
    return Optional.empty();
  }

  /** Why the newest map cannot be sent, for people; empty if it can. */
  public String tooLarge() {
    return tooLarge;
  }
}
