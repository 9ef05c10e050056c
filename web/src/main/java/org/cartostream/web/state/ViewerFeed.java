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
 * the viewer lacks. Owns what the viewer has. One thread uses it.
 */
public final class ViewerFeed {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The two messages that make a viewer's state the newest.
   *
   * @param tiles of the map, see {@link MapTilesFrame}; null if it has the newest
   * @param state JSON
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
   * @param tiles shared by the viewers of a run, and used by the same thread
   * @param buttons what the viewer can ask for
   * @param robots that he can look at, too
   */
  public ViewerFeed(
      ObservedRun run, MapTilesCache tiles, List<String> buttons, Supplier<List<String>> robots) {
    this.run = run;
    this.tiles = tiles;
    this.buttons = buttons;
    this.robots = robots;
  }

  /** True if there is something that the viewer lacks. */
  public boolean isBehind() {
    return run.version() != version || !robots.get().equals(knownRobots);
  }

  /** Returns what the viewer lacks; it is taken to have it from now on. */
  public Update next() {
    version = run.version();
    RunSnapshot now = run.snapshot(seen);
    seen = now.lists().seen();
    byte[] changed = now.map() == map ? null : tiles.between(map, now.map());
    map = now.map();
    Map<String, Object> json = now.json();
    if (now.loops() != loops) { // They are many, and change rarely.
      json.put("loops", now.loopEnds());
    }
    loops = now.loops();
    knownRobots = robots.get();
    json.put("robots", knownRobots);
    return new Update(changed, write(json, buttons));
  }

  /** The whole state of a run as JSON, without its map. */
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

  /** Numbers, texts, and lists, maps and records of them, as JSON. */
  public static String json(Object json) {
    try {
      return JSON.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts can be written as JSON", e);
    }
  }
}
