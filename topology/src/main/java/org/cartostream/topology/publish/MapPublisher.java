package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.GridExtent;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.trajectory.tree.MapRedraw;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draws a run's maps, not too often, and reports if one is too large to be sent.
 *
 * <p>Owns the version that the robot holds, the time of the next map, the newest key frame that no
 * map shows, what draws the map anew after a correction, the sentence about the newest map if it is
 * too large, and how many in a row were.
 */
final class MapPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(MapPublisher.class);

  /**
   * Of the heap a map's cells may take, a byte each: the last one, and both as bytes, are there,
   * too.
   */
  private static final int HEAP_PART = 8;

  /** A map that was refused has hardly become smaller; each time twice as much passes, to here. */
  private static final int MOST_REFUSALS = 6;

  private static final String NO_MEMORY =
      "the memory of the service's process does not suffice to draw it";

  private final Run run;
  private final int maxMessageBytes;
  private final long intervalNanos;
  private Step unmapped;
  private long nextAt;
  private String tooLarge = "";
  private int refusals;
  private long held;

  private final int observerMaps;

  /** Maps that were drawn since one was sent whole. */
  private int sinceWhole;

  /** Null if none is to be sent. */
  private MapMessage.ForObservers forObservers;

  private final Executor redraws;

  /** Null if none is pending. */
  private volatile MapRedraw redraw;

  /** The latest correction for which the map could not be drawn anew; 0 for none. */
  private volatile int failed;

  /**
   * @param redraws runs what draws a map anew
   * @param nanoTime when the first map begins to wait for its interval
   */
  public MapPublisher(Run run, ServiceSettings settings, Executor redraws, long nanoTime) {
    this.run = run;
    this.redraws = redraws;
    this.maxMessageBytes = settings.broker().maxMessageBytes();
    this.observerMaps = settings.topology().observerMaps();
    this.intervalNanos =
        (long) (settings.topology().mapIntervalSeconds() * TimeUnit.SECONDS.toNanos(1));
    this.nextAt = nanoTime + intervalNanos;
  }

  /** The map has changed by a key frame. */
  public void changedBy(Step keyFrame) {
    unmapped = keyFrame;
  }

  /** True if the map has changed, and its interval has passed. */
  public boolean isDue(long nanoTime) {
    return unmapped != null && nanoTime - nextAt >= 0;
  }

  /** Since when the next map may be drawn. */
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
   * if it is too large, which {@link #tooLarge} then tells. After a correction it is the one from
   * before until it has been drawn anew.
   *
   * @param history of the run's maps, which takes the new one
   * @param version number of the last reading in it
   */
  public Optional<MapMessage> draw(
      TrajectoryTree trajectoryTree, MapHistory history, long version) {
    correct(trajectoryTree);
    return drawUnlessTooLarge(
        trajectoryTree.currentExtent(),
        () -> {
          history.update(trajectoryTree.currentMap(), version, trajectoryTree.mapCorrection());
          MapMessage forRobot = history.since(held);
          drawForObservers(forRobot, history);
          return forRobot;
        });
  }

  private void drawForObservers(MapMessage forRobot, MapHistory history) {
    sinceWhole = forRobot.isWhole() ? 0 : sinceWhole + 1;
    if (observerMaps == 0 || sinceWhole < observerMaps) {
      return;
    }
    sinceWhole = 0;
    MapMessage whole = history.since(0);
    forObservers = whole.maxBytes() > maxMessageBytes ? null : new MapMessage.ForObservers(whole);
  }

  /** A whole map for who came late, if it is time for one; once. */
  Optional<MapMessage.ForObservers> takeForObservers() {
    Optional<MapMessage.ForObservers> taken = Optional.ofNullable(forObservers);
    forObservers = null;
    return taken;
  }

  /** True if the map can show a newer correction, or begin to be drawn anew for it. */
  boolean canCorrect(TrajectoryTree trajectoryTree) {
    MapRedraw current = redraw;
    int latest = trajectoryTree.correction().number();
    return current == null
        ? latest > failed && latest > trajectoryTree.mapCorrection()
        : current.isDone();
  }

  private void correct(TrajectoryTree trajectoryTree) {
    try {
      MapRedraw current = redraw;
      if (current != null && current.isDone()) {
        trajectoryTree.show(current);
        redraw = null;
      }
      if (canCorrect(trajectoryTree)) {
        MapRedraw next = trajectoryTree.redraw().orElseThrow();
        redraw = next;
        redraws.execute(() -> draw(next));
      }
    } catch (OutOfMemoryError e) {
      fail(trajectoryTree.correction().number(), e);
    }
  }

  /** On another thread, whose worker an error that got through would end. */
  private void draw(MapRedraw next) {
    try {
      next.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(next.correction(), e);
    }
  }

  private void fail(int correction, Throwable why) {
    LOG.error(
        "{}: its map cannot be drawn anew; correction {} does not show", run, correction, why);
    failed = correction;
    redraw = null;
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
    if (gridExtent.cells() > Runtime.getRuntime().maxMemory() / HEAP_PART) {
      return refuse(gridExtent, NO_MEMORY); // Not by trial: a worker without memory ends at once.
    }
    MapMessage map;
    try {
      map = drawing.get();
    } catch (OutOfMemoryError e) {
      return refuse(gridExtent, NO_MEMORY);
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
