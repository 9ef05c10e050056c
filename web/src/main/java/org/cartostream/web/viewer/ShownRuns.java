package org.cartostream.web.viewer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.web.state.ObservedRun;

/**
 * Runs that a server shows, by robot: one fixed run, or all that are found. A run gets its {@link
 * Viewers} when somebody first looks. Owns the viewers; thread-safe.
 */
public final class ShownRuns implements AutoCloseable {

  /** Maximum number of robots, as each run keeps its map in memory. */
  public static final int MAX = 64;

  private static final class ShownRun {
    private final ObservedRun run;
    private Viewers viewers;

    private ShownRun(ObservedRun run) {
      this.run = run;
    }
  }

  private final List<String> buttons;
  private final ShownRun first;
  private final Map<String, ShownRun> byRobot = new TreeMap<>();

  /**
   * Creates the collection for one run, whatever its robot.
   *
   * @param buttons names of the page's buttons
   */
  public ShownRuns(ObservedRun run, List<String> buttons) {
    this.first = new ShownRun(run);
    this.buttons = buttons;
  }

  /**
   * Creates the collection for robots that are added later; without any, the page says that it
   * waits.
   */
  public ShownRuns() {
    this(new ObservedRun(), List.of());
  }

  /**
   * Returns the run of a robot, which is added if it is new; empty if there are too many robots.
   */
  public synchronized Optional<ObservedRun> add(String robot) {
    if (byRobot.size() >= MAX) {
      return Optional.empty();
    }
    return Optional.of(byRobot.computeIfAbsent(robot, any -> new ShownRun(new ObservedRun())).run);
  }

  /** Returns the robots that were added, in the order of their names. */
  public synchronized List<String> robots() {
    return List.copyOf(byRobot.keySet());
  }

  /** Returns all runs. */
  public synchronized List<ObservedRun> all() {
    List<ObservedRun> all = new ArrayList<>(List.of(first.run));
    byRobot.values().forEach(each -> all.add(each.run));
    return all;
  }

  /**
   * Returns the run of a robot; empty if there is none.
   *
   * @param robot id of the robot; empty or null for the fixed run
   */
  public synchronized Optional<ObservedRun> run(String robot) {
    return Optional.ofNullable(find(robot)).map(each -> each.run);
  }

  /** Returns the viewers of a robot's run; empty if there is no such robot. */
  public synchronized Optional<Viewers> viewers(String robot) {
    ShownRun shown = find(robot);
    if (shown != null && shown.viewers == null) {
      shown.viewers = new Viewers(shown.run, buttons, this::robots);
    }
    return Optional.ofNullable(shown).map(each -> each.viewers);
  }

  private ShownRun find(String robot) {
    return robot == null || robot.isEmpty() ? first : byRobot.get(robot);
  }

  /** Returns figures for a monitoring system, of all runs together. */
  public Map<String, Long> figures() {
    Map<String, Long> sums = new TreeMap<>(Viewers.NO_FIGURES);
    looked()
        .forEach(each -> each.figures().forEach((name, one) -> sums.merge(name, one, Long::sum)));
    return sums;
  }

  private synchronized List<Viewers> looked() {
    List<Viewers> looked = new ArrayList<>();
    if (first.viewers != null) {
      looked.add(first.viewers);
    }
    byRobot.values().stream()
        .filter(each -> each.viewers != null)
        .forEach(each -> looked.add(each.viewers));
    return looked;
  }

  /** Waits a moment until all viewers have the last state, and disconnects them. */
  @Override
  public void close() {
    looked().forEach(Viewers::close);
  }
}
