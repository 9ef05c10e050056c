package org.cartostream.web.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.ClosedLoop;

/**
 * Source of one viewer's updates, each of which contains the part of the run's newest state that
 * the viewer lacks. Owns the record of what the viewer has. Used by one thread.
 */
public final class ViewerFeed {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Two messages that bring a viewer up to date.
   *
   * @param tiles tiles of the map, see {@link MapTilesFrame}; null if the viewer has the newest map
   * @param state all else, as JSON
   */
  public record Update(byte[] tiles, String state) {}

  private final ObservedRun run;
  private final MapTilesCache tiles;
  private final List<String> buttons;
  private final Supplier<List<String>> robots;
  private List<String> knownRobots = List.of();
  private RunSnapshot.Seen seen = RunSnapshot.Seen.NOTHING;
  private OccupancyGrid map;
  private List<ClosedLoop> loops = List.of();
  private long version = -1;

  /**
   * @param tiles cache that the viewers of a run share, used by the same thread
   * @param buttons names of the page's buttons
   * @param robots names of the robots that a viewer can choose
   */
  public ViewerFeed(
      ObservedRun run, MapTilesCache tiles, List<String> buttons, Supplier<List<String>> robots) {
    this.run = run;
    this.tiles = tiles;
    this.buttons = buttons;
    this.robots = robots;
  }

  /** Returns true if the viewer lacks something. */
  public boolean isBehind() {
    return run.version() != version || !robots.get().equals(knownRobots);
  }

  /** Returns what the viewer lacks, and takes it as received. */
  public Update next() {
    version = run.version();
    RunSnapshot now = run.snapshot(seen);
    seen = now.lists().seen();
    byte[] changed = now.map() == map ? null : tiles.between(map, now.map());
    map = now.map();
    Map<String, Object> json = now.json();
    if (now.loops() != loops) { // Many edges, which change rarely.
      json.put("loops", now.loopEnds());
    }
    loops = now.loops();
    knownRobots = robots.get();
    json.put("robots", knownRobots);
    return new Update(changed, write(json, buttons));
  }

  /** Returns the whole state of a run as JSON, without the map. */
  public static String whole(ObservedRun run) {
    RunSnapshot now = run.snapshot(RunSnapshot.Seen.NOTHING);
    Map<String, Object> json = now.json();
    json.put("loops", now.loopEnds());
    return write(json, List.of());
  }

  private static String write(Map<String, Object> json, List<String> buttons) {
    json.put("buttons", buttons);
    return json(json);
  }

  /** Returns numbers, texts, and lists, maps and records of them as JSON. */
  public static String json(Object json) {
    try {
      return JSON.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts can be written as JSON", e);
    }
  }
}
