package org.cartostream.web.viewer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.cartostream.web.state.MapTilesCache;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.state.ViewerFeed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All viewers of the page of one run. A thread looks ten times a second which viewers lack
 * something, and sends the newest state to those that have taken in their last update. Owns that
 * thread, and the list of viewers.
 */
public final class Viewers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Viewers.class);

  /**
   * Maximum number of viewers: one that stopped may keep an old map, of a few megabytes in a large
   * building.
   */
  public static final int MAX = 16;

  /** Figures while there are no viewers. */
  static final Map<String, Long> NO_FIGURES =
      Map.of(
          "cartostream_web_viewers", 0L,
          "cartostream_web_turned_away_total", 0L,
          "cartostream_web_tile_bytes_total", 0L,
          "cartostream_web_state_bytes_total", 0L);

  private static final long PERIOD_MILLIS = 100;
  private static final long LAST_STATE_MILLIS = 1_000;

  private final ObservedRun run;
  private final List<String> buttons;
  private final Supplier<List<String>> robots;
  private final MapTilesCache tiles = new MapTilesCache();
  private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
  private final AtomicLong bytesOfTiles = new AtomicLong();
  private final AtomicLong bytesOfState = new AtomicLong();
  private final AtomicLong turnedAway = new AtomicLong();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "web viewers");
            daemon.setDaemon(true);
            return daemon;
          });

  /** Set when the last state must be sent, and completed when all viewers have it. */
  private volatile CompletableFuture<Void> last;

  /**
   * @param buttons names of the page's buttons
   * @param robots names of the robots that a viewer can choose
   */
  Viewers(ObservedRun run, List<String> buttons, Supplier<List<String>> robots) {
    this.run = run;
    this.buttons = buttons;
    this.robots = robots;
    thread.scheduleWithFixedDelay(
        this::update, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Adds a viewer; returns false if there are too many already. */
  synchronized boolean add(Viewer viewer) {
    if (viewers.size() >= MAX) {
      turnedAway.incrementAndGet();
      return false;
    }
    return viewers.add(viewer);
  }

  void remove(Viewer viewer) {
    viewers.remove(viewer);
  }

  ViewerFeed feed() {
    return new ViewerFeed(run, tiles, buttons, robots);
  }

  void sent(ViewerFeed.Update update) {
    bytesOfTiles.addAndGet(update.tiles() == null ? 0 : update.tiles().length);
    bytesOfState.addAndGet(update.state().length());
  }

  private void update() {
    boolean allHaveTheNewest = true;
    for (Viewer each : viewers) {
      try {
        allHaveTheNewest &= each.update();
      } catch (RuntimeException e) {
        LOG.warn("a viewer of the page is not updated any more", e);
        each.leave("the server failed");
      }
    }
    if (last != null && allHaveTheNewest) {
      last.complete(null);
    }
  }

  /** Returns figures for a monitoring system, by name. */
  public Map<String, Long> figures() {
    return Map.of(
        "cartostream_web_viewers", (long) viewers.size(),
        "cartostream_web_turned_away_total", turnedAway.get(),
        "cartostream_web_tile_bytes_total", bytesOfTiles.get(),
        "cartostream_web_state_bytes_total", bytesOfState.get());
  }

  /** Waits a moment until all viewers have the last state, and disconnects them. */
  @Override
  public void close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    last = done;
    try {
      done.get(LAST_STATE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.debug("a viewer did not take the last state", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.shutdownNow();
    viewers.forEach(each -> each.leave("the run is over"));
  }
}
