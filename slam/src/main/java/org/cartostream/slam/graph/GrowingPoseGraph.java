package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * A pose graph that grows while a robot drives, and closes its loops on the way. The filter goes on
 * as it is, with poses of its own; the graph carries these local poses to global ones (as Hess et
 * al., Real-time loop closure in 2D lidar SLAM, 2016, have it).
 *
 * <p>Owns the nodes, which are key frames half a metre or a third of a radian apart, the search
 * that is pending, and the {@link GraphSolution} that is in force. In turn:
 *
 * <ol>
 *   <li>{@link #add} takes in each key frame;
 *   <li>every few nodes {@link #search} begins a {@link OnlineLoopClosure} of the path as it is
 *       then. It may run in another thread;
 *   <li>what it finds counts from a reading that is named before ({@link #correctBefore}), however
 *       long it took: so it does not depend on time what a robot is told.
 * </ol>
 *
 * <p>There are at most {@link LoopCloser#MAX_NODES} nodes, those of 10 km, with scans of up to 32
 * MB: from then on no loops are closed on the way, and poses follow from the last node. Not
 * thread-safe.
 */
public final class GrowingPoseGraph {

  /** Number of new nodes that are worth a search: two metres. */
  static final int SEARCH_NODES = 4;

  /** A node. */
  record Node(Scan scan, long stampNanos, double way) {}

  private final FilterSettings settings;
  private final List<Node> nodes = new ArrayList<>();

  /** Local pose of the latest node. */
  private Pose last = Pose.ORIGIN;

  private int searched;

  /** Null if there is none. */
  private OnlineLoopClosure pending;

  private GraphSolution solution = GraphSolution.NONE;

  /** Grows from nothing, if its settings have loops closed on the way. */
  public GrowingPoseGraph(FilterSettings settings) {
    this.settings = settings;
  }

  /**
   * Takes in a key frame.
   *
   * @param stampNanos of the scan
   * @param local its pose, as the filter has it
   * @return true if it is a node
   */
  public boolean add(Scan scan, long stampNanos, Pose local) {
    boolean isFirst = nodes.isEmpty();
    boolean isFar =
        isFirst
            || last.distance(local) >= LoopCloser.NODE_METRES
            || LoopCloser.turn(last, local) >= LoopCloser.NODE_RADIANS;
    if (!isFar || !settings.loops().closesOnline() || nodes.size() == LoopCloser.MAX_NODES) {
      return false;
    }
    double way = isFirst ? 0 : nodes.get(nodes.size() - 1).way + LoopCloser.way(last, local);
    nodes.add(new Node(scan.atMost(LoopCloser.MAX_BEAMS), stampNanos, way));
    last = local;
    return true;
  }

  /** Number of the latest node; -1 if there is none. */
  public int latest() {
    return nodes.size() - 1;
  }

  /**
   * Begins a search if one is worth it and none is pending.
   *
   * @param reading the one up to which the path is searched
   * @param path where the filter has the nodes now
   */
  public void search(long reading, Supplier<Pose[]> path) {
    if (pending == null && nodes.size() >= searched + SEARCH_NODES) {
      searched = nodes.size();
      long dueAt = reading + settings.loops().delayReadings();
      pending =
          new OnlineLoopClosure(settings, dueAt, nodes.toArray(Node[]::new), path.get(), solution);
    }
  }

  /** The search that is pending: to be run somewhere. */
  public Optional<OnlineLoopClosure> pending() {
    return Optional.ofNullable(pending);
  }

  /**
   * Has what was found count if it is due: from this reading on. Runs the search, if nobody has.
   *
   * @return true if the graph was solved anew
   */
  public boolean correctBefore(long reading) {
    if (pending == null || reading < pending.dueAt()) {
      return false;
    }
    int before = solution.number();
    solution = pending.result();
    pending = null;
    return solution.number() != before;
  }

  /** The current solution, by which poses are corrected. */
  public GraphSolution solution() {
    return solution;
  }

  /**
   * Returns what gives the solution if nothing more comes: that of the pending search, if there is
   * one, with all nodes. It may be asked in another thread, and searches if nobody has.
   *
   * @param path where the filter has the nodes now
   */
  public Supplier<GraphSolution> finalSolution(Pose[] path) {
    GraphSolution latest = solution;
    OnlineLoopClosure last = pending;
    return () -> (last == null ? latest : last.result()).upTo(path);
  }

  /** The loop edges by which it was solved, to be shown: {@link ClosedLoop#MAX_SHOWN} at most. */
  public List<ClosedLoop> loops() {
    Edge[] used = solution.used();
    return ClosedLoop.shown(
        used.length, i -> new ClosedLoop(stamped(used[i].from()), stamped(used[i].to())));
  }

  private StampedPose stamped(int node) {
    return new StampedPose(nodes.get(node).stampNanos, solution.global()[node]);
  }
}
