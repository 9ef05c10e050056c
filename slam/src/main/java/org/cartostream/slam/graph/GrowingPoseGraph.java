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
 *   <li>the loops found count from a reading that is fixed beforehand ({@link #correctBefore}),
 *       however long the search took: so the poses that a robot is told do not depend on timing.
 * </ol>
 *
 * <p>There are at most {@link LoopCloser#MAX_NODES} nodes, enough for 10 km, whose scans take up to
 * 32 MB: from then on no loops are closed on the way, and poses follow from the last node. Not
 * thread-safe.
 */
public final class GrowingPoseGraph {

  /** Number of new nodes that are worth a search: two metres. */
  static final int SEARCH_NODES = 4;

  /**
   * A node of the graph: its scan, and its distance along the path, in {@link LoopCloser#way}'s
   * metres.
   */
  record Node(Scan scan, long stampNanos, double way) {}

  private final FilterSettings settings;
  private final List<Node> nodes = new ArrayList<>();

  /** Local pose of the latest node. */
  private Pose last = Pose.ORIGIN;

  private int searched;

  /** The search that is pending; null if there is none. */
  private OnlineLoopClosure pending;

  private GraphSolution solution = GraphSolution.NONE;

  /** Creates an empty graph. It takes nodes only if the settings have loops closed on the way. */
  public GrowingPoseGraph(FilterSettings settings) {
    this.settings = settings;
  }

  /**
   * Takes in a key frame.
   *
   * @param stampNanos the scan's stamp
   * @param local the filter's local pose of the scan
   * @return true if the key frame became a node
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

  /** Returns the number of the latest node; -1 if there is none. */
  public int latest() {
    return nodes.size() - 1;
  }

  /**
   * Begins a search if one is worth it and none is pending.
   *
   * @param reading number of the reading up to which the path is searched
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

  /** Returns the pending search, which any thread may run. */
  public Optional<OnlineLoopClosure> pending() {
    return Optional.ofNullable(pending);
  }

  /**
   * Takes over the pending search's result if it is due at this reading. Runs the search, if no
   * thread has.
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

  /** Returns the current solution, by which poses are corrected. */
  public GraphSolution solution() {
    return solution;
  }

  /**
   * Returns a supplier of the solution at the end of the path: the pending search's, if there is
   * one, extended to all nodes. Any thread may call the supplier; it runs the search if no thread
   * has.
   *
   * @param path where the filter has the nodes now
   */
  public Supplier<GraphSolution> finalSolution(Pose[] path) {
    GraphSolution latest = solution;
    OnlineLoopClosure last = pending;
    return () -> (last == null ? latest : last.result()).upTo(path);
  }

  /** Returns the loop edges of the solution, for display: {@link ClosedLoop#MAX_SHOWN} at most. */
  public List<ClosedLoop> loops() {
    Edge[] used = solution.used();
    return ClosedLoop.shown(
        used.length, i -> new ClosedLoop(stamped(used[i].from()), stamped(used[i].to())));
  }

  private StampedPose stamped(int node) {
    return new StampedPose(nodes.get(node).stampNanos, solution.global()[node]);
  }
}
