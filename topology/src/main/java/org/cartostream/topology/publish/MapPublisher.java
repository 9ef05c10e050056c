package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.broker.codec.FrameFragmentation;
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
 * Publisher of one run's maps: it draws them at a limited rate, and reports if a map is too large
 * to be sent. The known map in which a robot is localised is not drawn; it is sent at intervals, to
 * observers only.
 *
 * <p>Owns the versions of the map that the robot holds and that are on the way to it, the time of
 * the next map, the newest reading that no map shows, the {@link MapRedraw} after a correction, the
 * sentence about the newest map if that is too large, and the number of maps in a row that were too
 * large.
 */
final class MapPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(MapPublisher.class);

  /**
   * Ratio of the heap's bytes to the cells that a map may have, at a byte each: the previous map
   * and both maps' messages are in memory, too.
   */
  private static final int HEAP_PART = 8;

  /**
   * Maximum number of times that the interval doubles when maps are too large, as the next one is
   * hardly smaller.
   */
  private static final int MAX_REFUSALS = 6;

  /**
   * Minimum of the map interval that counts for the known map, nanoseconds: that map may be large,
   * and the setting may be 0.
   */
  private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Longest interval of the known map, nanoseconds: observers get it at least each day. */
  private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(1);

  /**
   * Time to wait until the robot has a map that was sent in pieces, nanoseconds, before the next
   * map is drawn. If such maps came faster than the robot's link carries them, its full queue would
   * drop pieces of each.
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

  /** Version of the newest map if it was sent in pieces; 0 if it was sent in one message. */
  private long awaited;

  /** Time at which the newest map was drawn. */
  private long drawnAt;

  private final int observerMaps;

  /** Number of maps drawn since a whole map was sent. */
  private int sinceWhole;

  /** Map to be sent to observers; null if there is none. */
  private MapMessage.ForObservers forObservers;

  /**
   * Known map as a message; null if the robot makes its map, and while the message is not ready.
   */
  private volatile MapMessage.ForObservers known;

  private final Executor redraws;

  /** Drawing of the map anew after a correction; null if none is pending. */
  private volatile MapRedraw redraw;

  /** Number of the latest correction for which the map could not be drawn anew; 0 for none. */
  private volatile int failed;

  /**
   * @param redraws executor for drawing maps anew
   * @param nanoTime time from which the first map waits for its interval, nanoseconds
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
   * Has the known map, in which the robot is localised, encoded for observers, unless its grid is
   * rotated, which messages cannot express.
   *
   * @param map the known map; null if the robot makes its map
   */
  void knows(PackedMap map) {
    if (map != null && observerMaps > 0 && map.origin().theta() == 0) {
      try {
        redraws.execute(() -> known = forObservers(map));
      } catch (OutOfMemoryError e) { // No thread; the run goes on without.
        LOG.warn("{}: observers are not shown its known map: {}", run, e.toString());
      }
    }
  }

  /**
   * Makes the message for observers; null if that is not possible. It runs in another thread, where
   * an uncaught error would end the worker.
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

  /** Returns true if the robot has a known map whose message is ready. */
  boolean hasKnown() {
    return known != null;
  }

  /** Chooses the known map as the one that observers are sent next. */
  void showKnown() {
    forObservers = known;
  }

  /** Notes that a reading has changed the map, or that observers can be sent the known map. */
  public void changedBy(Step step) {
    unmapped = step;
  }

  /**
   * Returns true if the map has changed, its interval has passed, and the robot has got the
   * previous map if that was sent in pieces, or no longer waits for it.
   */
  public boolean isDue(long nanoTime) {
    boolean isBehind = held < awaited && nanoTime - drawnAt < PATIENCE_NANOS;
    return unmapped != null && nanoTime - nextAt >= 0 && !isBehind;
  }

  /** Returns the time from which the next map may be drawn, nanoseconds. */
  public long dueSince() {
    return nextAt;
  }

  /** Returns the newest reading that no map shows; null if there is none. */
  public Step unmapped() {
    return unmapped;
  }

  /**
   * Notes that a map was drawn; the next one waits for its interval, or longer if this one was too
   * large.
   */
  public void drawn(long nanoTime) {
    unmapped = null;
    drawnAt = nanoTime;
    nextAt = nanoTime + (known == null ? intervalNanos << refusals : knownIntervalNanos);
  }

  /**
   * Takes the version of the map that the robot's gateway holds; 0 for none, as after its restart.
   */
  public void robotHolds(long version) {
    awaited = version < held ? 0 : awaited; // Restarted: it gets a whole map.
    held = version;
  }

  /**
   * Returns the current map, or its changes since the map that the robot holds; empty if it is too
   * large, and {@link #tooLarge} then says so. After a correction, the map is the uncorrected one
   * until it has been drawn anew.
   *
   * @param history history of the run's maps, to which the new one is added
   * @param version version of the new map: the number of the last reading in it
   */
  public Optional<MapMessage> draw(
      TrajectoryTree trajectoryTree, MapHistory history, long version) {
    correct(trajectoryTree);
    return drawUnlessTooLarge(
        trajectoryTree.currentExtent(),
        () -> {
          history.update(trajectoryTree.currentMap(), version, trajectoryTree.mapCorrection());
          MapMessage forRobot = history.since(held);
          awaited = forRobot.maxBytes() > FrameFragmentation.PIECE_BYTES ? version : 0;
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

  /** Takes out a whole map for observers that came late, if it is time for one. */
  Optional<MapMessage.ForObservers> takeForObservers() {
    Optional<MapMessage.ForObservers> taken = Optional.ofNullable(forObservers);
    forObservers = null;
    return taken;
  }

  /** Returns true if the map can show a newer correction, or its drawing anew can begin. */
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

  /** Draws a map anew, in another thread, where an uncaught error would end the worker. */
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

  /**
   * Returns the run's last map, whole; empty if it is too large, and {@link #tooLarge} then says
   * so.
   */
  public Optional<MapMessage> drawLast(RayTracedMap map) {
    return drawUnlessTooLarge(map.extent(), () -> MapMessage.ofEnd(map.grid()));
  }

  /**
   * Draws a map, unless it is too large to be sent or for the memory.
   *
   * @param gridExtent extent of the map, which is checked before memory is allocated
   */
  Optional<MapMessage> drawUnlessTooLarge(GridExtent gridExtent, Supplier<MapMessage> drawing) {
    if (gridExtent.cells() > MapMessage.MAX_CELLS) {
      return refuse(gridExtent, "at most " + MapMessage.MAX_CELLS + " cells can be sent");
    }
    if (gridExtent.cells() > Runtime.getRuntime().maxMemory() / HEAP_PART) {
      return refuse(gridExtent, NO_MEMORY); // Trying could end the worker.
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

  /** Returns why the newest map cannot be sent, for people; empty if it can. */
  public String tooLarge() {
    return tooLarge;
  }
}
