package org.cartostream.web.viewer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.web.state.ObservedRun;

/**
 * The runs that a server shows, by robot: a fixed one, or all that are found. A run has {@link
 * Viewers} from the first who looks on. Owns them; thread-safe.
 */
public final class ShownRuns implements AutoCloseable {

  /** Each holds its map. */
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
   * Creates one for one run, whoever its robot is.
   *
   * @param buttons what a viewer can ask for
   */
  public ShownRuns(ObservedRun run, List<String> buttons) {
    this.first = new ShownRun(run);
    this.buttons = buttons;
  }

  /** Creates one for robots that are added; before the first the page says that it waits. */
  public ShownRuns() {
    this(new ObservedRun(), List.of());
  }

  /** Another robot's run; empty if there are too many. */
  public synchronized Optional<ObservedRun> add(String robot) {
    if (byRobot.size() >= MAX) {
      return Optional.empty();
    }
    return Optional.of(byRobot.computeIfAbsent(robot, any -> new ShownRun(new ObservedRun())).run);
  }

  /** The robots that were added, in the order of their names. */
  public synchronized List<String> robots() {
    return List.copyOf(byRobot.keySet());
  }

  /** All runs. */
  public synchronized List<ObservedRun> all() {
    List<ObservedRun> all = new ArrayList<>(List.of(first.run));
    byRobot.values().forEach(each -> all.add(each.run));
    return all;
  }

  /**
   * A run.
   *
   * @param robot empty, or null, for the one that the server was made for
   */
  public synchronized Optional<ObservedRun> run(String robot) {
    return Optional.ofNullable(find(robot)).map(each -> each.run);
  }

  /** Returns who looks at a run; empty if there is no such robot. */
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

  /** Figures for a monitoring system, of all runs together. */
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

  /** Waits a moment until all have the last state, and sends nothing more. */
  @Override
  public void close() {
    looked().forEach(Viewers::close);
  }
}
