package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.broker.codec.Pieces;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.GridExtent;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.trajectory.tree.MapRedraw;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publisher of one run's maps: draws them at a limited rate, and reports if one is too large to be
 * sent. The known map of a robot that is localised is not drawn; it is sent now and then to
 * observers alone.
 *
 * <p>Owns the version that the robot holds and the one that it is sent, the time of the next map,
 * the newest reading that no map shows, what draws the map anew after a correction, the sentence
 * about the newest map if it is too large, and how many in a row were.
 */
final class MapPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(MapPublisher.class);

  /**
   * Part of the heap that a map's cells may take, a byte each: the last one, and both as bytes, are
   * there, too.
   */
  private static final int HEAP_PART = 8;

  /** A map that was refused has hardly become smaller; each time twice as much passes, to here. */
  private static final int MAX_REFUSALS = 6;

  /**
   * Shortest interval of the known map, nanoseconds: it may be large, and an interval of no time
   * does not count.
   */
  private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Longest interval, nanoseconds: the map is sent each day at least. */
  private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(1);

  /**
   * Patience with a robot's link, nanoseconds: if maps in pieces were made faster than it carries
   * them, its full queue would drop pieces of each. One that has not arrived after so long is not
   * awaited.
   */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final String NO_MEMORY =
      "the memory of the service's process does not suffice to draw it";

  private final Run run;
  private final int maxMessageBytes;
  private final long intervalNanos;
  private final long knownIntervalNanos;
  private Step unmapped;
  private long nextAt;
  private String tooLarge = "";
  private int refusals;
  private long held;

  /** The version of the newest map that crosses the broker in pieces; 0 if it needs none. */
  private long awaited;

  /** Time at which the newest map was drawn. */
  private long drawnAt;

  private final int observerMaps;

  /** Maps that were drawn since one was sent whole. */
  private int sinceWhole;

  /** Null if none is to be sent. */
  private MapMessage.ForObservers forObservers;

  /** Null if the robot makes its map, and while its known map is not ready. */
  private volatile MapMessage.ForObservers known;

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
    this.knownIntervalNanos =
        (long)
            Math.min(
                MAX_NANOS, (double) observerMaps * Math.max(MIN_INTERVAL_NANOS, intervalNanos));
    this.nextAt = nanoTime + intervalNanos;
  }

  /**
   * Has the known map, in which the robot is localised, made ready for observers, unless it is
   * turned: they know no turned grid.
   *
   * @param map null if the robot makes its own
   */
  void knows(PackedMap map) {
    if (map != null && observerMaps > 0 && map.origin().theta() == 0) {
      try {
        redraws.execute(() -> known = forObservers(map));
      } catch (OutOfMemoryError e) { // For a thread: the run goes on without.
        LOG.warn("{}: observers are not shown its known map: {}", run, e.toString());
      }
    }
  }

  /**
   * Makes the message for observers on another thread, whose worker an error that got through would
   * end; null if it cannot be.
   */
  private MapMessage.ForObservers forObservers(PackedMap map) {
    String why = NO_MEMORY;
    try {
      if (map.cells() <= Runtime.getRuntime().maxMemory() / HEAP_PART) {
        MapMessage whole = MapMessage.of(map.unpack().grid(), 0);
        if (whole.maxBytes() <= maxMessageBytes) {
          return new MapMessage.ForObservers(whole);
        }
        why = tooLong(whole);
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      why = e.toString();
    }
    LOG.warn("{}: observers are not shown its known map of {} cells: {}", run, map.cells(), why);
    return null;
  }

  /** True if the robot has a known map that can be shown. */
  boolean hasKnown() {
    return known != null;
  }

  /** The known map goes to observers; so does the robot's own once in {@code observerMaps} maps. */
  void showKnown() {
    forObservers = known;
  }

  /** The map has changed by a key frame, or observers can be sent the known one. */
  public void changedBy(Step step) {
    unmapped = step;
  }

  /**
   * True if the map has changed, its interval has passed, and the robot has the large one before or
   * is not going to have it.
   */
  public boolean isDue(long nanoTime) {
    boolean isBehind = held < awaited && nanoTime - drawnAt < PATIENCE_NANOS;
    return unmapped != null && nanoTime - nextAt >= 0 && !isBehind;
  }

  /** Returns since when the next map may be drawn. */
  public long dueSince() {
    return nextAt;
  }

  /** The newest reading that no map shows. */
  public Step unmapped() {
    return unmapped;
  }

  /** A map was drawn; the next waits for its interval, or longer if this one was refused. */
  public void drawn(long nanoTime) {
    unmapped = null;
    drawnAt = nanoTime;
    nextAt = nanoTime + (known == null ? intervalNanos << refusals : knownIntervalNanos);
  }

  /** The version of the map that the robot's side holds; 0 for none, as after a new start. */
  public void robotHolds(long version) {
    awaited = version < held ? 0 : awaited; // After a new start it awaits a whole one.
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
          awaited = forRobot.maxBytes() > Pieces.PIECE_BYTES ? version : 0;
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

  /** Draws the map on another thread, whose worker an error that got through would end. */
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
    if (gridExtent.cells() > MapMessage.MAX_CELLS) {
      return refuse(gridExtent, "at most " + MapMessage.MAX_CELLS + " cells can be sent");
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
      return refuse(gridExtent, tooLong(map));
    }
    tooLarge = "";
    refusals = 0;
    return Optional.of(map);
  }

  private String tooLong(MapMessage map) {
    return map.maxBytes() + " bytes when packed, and broker.maxMessageBytes is " + maxMessageBytes;
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
    refusals = Math.min(refusals + 1, MAX_REFUSALS);
    return Optional.empty();
  }

  /** Why the newest map cannot be sent, for people; empty if it can. */
  public String tooLarge() {
    return tooLarge;
  }
}
