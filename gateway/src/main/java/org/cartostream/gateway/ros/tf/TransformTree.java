package org.cartostream.gateway.ros.tf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.slam.geometry.Pose;

/**
 * The tree of a robot's coordinate frames, from {@code /tf} and {@code /tf_static}.
 *
 * <p>Each frame should lie in one parent. Where publishers disagree about that, all of its parents
 * are kept: a lookup takes the only way that leads from one frame to the other, or any of several
 * that agree. A path never visits a frame twice, so loops end.
 *
 * <p>Owns each frame's parents and transforms, and the last invalid transform of each frame. Not
 * for several threads.
 */
public final class TransformTree {

  /**
   * Maximum number of paths upwards from a frame, which grows exponentially if frames have two
   * parents.
   */
  private static final int MAX_PATHS = 64;

  /** Maximum difference of two paths' transforms that count as equal, metres. */
  private static final double SAME_METRES = 0.01;

  private static final double SAME_RADIANS = Math.toRadians(0.5);

  private final class Edge {
    private final String parent;
    private final boolean fixed;
    private final TransformBuffer transformBuffer = new TransformBuffer();

    private Edge(String parent, boolean fixed) {
      this.parent = parent;
      this.fixed = fixed;
    }

    /**
     * True if the transform is static, or has never changed: {@code robot_state_publisher} sends
     * the robot's rigid links on {@code /tf}. Odometry is never static, though the robot may stand
     * still.
     */
    private boolean isFixed() {
      return fixed || (!transformBuffer.hasChanged() && !parent.equals(odomFrame));
    }

    private TransformLookup at(long stampNanos) {
      return isFixed()
          ? new TransformLookup.Found(transformBuffer.latest())
          : transformBuffer.at(stampNanos);
    }
  }

  private final String odomFrame;

  /** Edges by child and parent; parents in the order of arrival. */
  private final Map<String, Map<String, Edge>> edges = new HashMap<>();

  /** The last transform of a frame if it was invalid, for people. */
  private final Map<String, String> whyInvalid = new HashMap<>();

  /**
   * @param odomFrame the frame in which odometry moves the robot
   */
  public TransformTree(String odomFrame) {
    this.odomFrame = name(odomFrame);
  }

  /** Returns a frame's name as in tf2: without the leading slash of old tf. */
  public static String name(String frame) {
    return frame.startsWith("/") ? frame.substring(1) : frame;
  }

  /**
   * Adds a transform; ignores an invalid one.
   *
   * @param fixed true if the transform is static
   */
  public void add(TransformStamped transform, boolean fixed) {
    RigidTransform motion = RigidTransform.of(transform.transform());
    String child = name(transform.childFrameId());
    String parent = name(transform.header().frameId());
    if (child.equals(parent)) {
      return;
    }
    if (!motion.isValid()) {
      whyInvalid.put(
          child, "; from '" + parent + "' to '" + child + "' comes " + motion.whyInvalid());
      return;
    }
    whyInvalid.remove(child);
    Map<String, Edge> parents = edges.computeIfAbsent(child, any -> new LinkedHashMap<>());
    Edge edge = parents.get(parent);
    if (edge == null || fixed || edge.fixed) { // Of fixed ones the last that came holds.
      edge = new Edge(parent, fixed);
      parents.put(parent, edge);
    }
    long stamp = transform.header().stamp();
    edge.transformBuffer.add(stamp, motion);
    if (parents.size() > 1 && !fixed) { // A frame may come to lie in another; tf forgets as well.
      parents
          .values()
          .removeIf(
              each ->
                  !each.fixed
                      && each.transformBuffer.newestNanos() < stamp - TransformBuffer.KEPT_NANOS);
    }
  }

  private Stream<Edge> parents(String frame) {
    return edges.getOrDefault(frame, Map.of()).values().stream();
  }

  /** A frame and its parent. */
  public record Link(String parent, String child) {}

  /** Returns the highest link that moves, most likely odometry; empty if none moves. */
  public Optional<Link> movingLink() {
    return edges.keySet().stream()
        .flatMap(
            child ->
                parents(child)
                    .filter(edge -> !edge.fixed && edge.transformBuffer.hasChanged())
                    .map(edge -> new Link(edge.parent, child)))
        .min(
            Comparator.comparingInt((Link link) -> ways(link.parent()).get(0).size())
                .thenComparing(Link::child));
  }

  /**
   * Returns a link whose parent is the odometry frame, though the robot may not have moved yet;
   * empty if there is none.
   */
  public Optional<Link> odometryLink() {
    return edges.keySet().stream()
        .filter(
            child -> parents(child).anyMatch(edge -> !edge.fixed && edge.parent.equals(odomFrame)))
        .min(Comparator.naturalOrder())
        .map(child -> new Link(odomFrame, child));
  }

  /** Returns the end of a sentence, saying that a frame is unknown; empty if it is known. */
  public String unknown(String frame) {
    return knows(frame) ? "" : "; no transform names '" + frame + "'";
  }

  /** True if a transform has named the frame. */
  public boolean knows(String frame) {
    return edges.containsKey(frame)
        || edges.values().stream().anyMatch(parents -> parents.containsKey(frame));
  }

  /**
   * Returns the frame in which {@code frame} moves: the highest one below {@code map}, if a link on
   * the path to it moves; else empty.
   */
  public Optional<String> moving(String frame, String map) {
    Optional<String> in = Optional.empty();
    List<String> way = ways(frame).get(0);
    for (int i = 0; i + 1 < way.size() && !way.get(i + 1).equals(map); i++) {
      boolean fixed = edges.get(way.get(i)).get(way.get(i + 1)).fixed;
      in = fixed ? in : Optional.of(way.get(i + 1));
    }
    return in;
  }

  /** Returns the end of a sentence about invalid transforms of a frame or of those above it. */
  public String whyInvalid(String frame) {
    return above(frame).map(each -> whyInvalid.getOrDefault(each, "")).reduce("", String::concat);
  }

  /** Returns why there is no tree above a frame: sentences without an end mark. */
  public List<String> faults(String frame) {
    Stream<String> parents =
        above(frame)
            .filter(each -> parents(each).count() > 1)
            .map(
                each ->
                    "the frame '%s' has several parents, %s".formatted(each, parentNames(each)));
    Stream<String> loops =
        ways(frame).stream()
            .map(way -> way.get(way.size() - 1))
            .filter(edges::containsKey)
            .distinct()
            .map(
                last ->
                    "transforms run in a circle: '%s' lies in %s, and that, in the end, in '%s'"
                        .formatted(last, parentNames(last), last));
    return Stream.concat(parents, loops).toList();
  }

  private String parentNames(String frame) {
    return parents(frame).map(edge -> "'" + edge.parent + "'").collect(Collectors.joining(" and "));
  }

  private Stream<String> above(String frame) {
    return ways(frame).stream().flatMap(List::stream).distinct();
  }

  /**
   * Returns where {@code frame} lay in {@code in} at a time; unconnected, too, if several ways lead
   * there and contradict each other.
   */
  public TransformLookup at(String in, String frame, long stampNanos) {
    return find(in, frame, edge -> edge.at(stampNanos));
  }

  /** Returns where {@code frame} lies in {@code in} by the newest transforms; else empty. */
  public Optional<RigidTransform> latest(String in, String frame) {
    TransformLookup transformLookup =
        find(in, frame, edge -> new TransformLookup.Found(edge.transformBuffer.latest()));
    return transformLookup instanceof TransformLookup.Found found
        ? Optional.of(found.motion())
        : Optional.empty();
  }

  /** The links from one frame up to the common ancestor and down to the other. */
  private record Way(List<String> up, List<String> down) {}

  /** Looks up a transform by the paths from both frames up to their common ancestor. */
  private TransformLookup find(String in, String frame, Function<Edge, TransformLookup> at) {
    Set<Way> ways = new LinkedHashSet<>();
    for (List<String> up : ways(in)) {
      for (List<String> down : ways(frame)) {
        down.stream()
            .filter(up::contains)
            .findFirst()
            .ifPresent(
                meeting ->
                    ways.add(
                        new Way(
                            up.subList(0, up.indexOf(meeting) + 1),
                            down.subList(0, down.indexOf(meeting) + 1))));
      }
    }
    TransformLookup found = new TransformLookup.Unconnected();
    for (Way way : ways) {
      TransformLookup next = along(way, at);
      if (!(found instanceof TransformLookup.Found one)) {
        found = found instanceof TransformLookup.Unconnected || isFound(next) ? next : found;
      } else if (next instanceof TransformLookup.Found other && !isSame(one, other)) {
        return new TransformLookup.Unconnected();
      }
    }
    return found;
  }

  private static boolean isFound(TransformLookup lookup) {
    return lookup instanceof TransformLookup.Found;
  }

  private static boolean isSame(TransformLookup.Found one, TransformLookup.Found other) {
    Pose here = one.motion().planar();
    Pose there = other.motion().planar();
    return here.distance(there) < SAME_METRES && Math.abs(here.to(there).theta()) < SAME_RADIANS;
  }

  private TransformLookup along(Way way, Function<Edge, TransformLookup> at) {
    TransformLookup ofIn = along(way.up, at);
    TransformLookup ofFrame = along(way.down, at);
    if (ofIn instanceof TransformLookup.Found here
        && ofFrame instanceof TransformLookup.Found there) {
      return new TransformLookup.Found(here.motion().inverse().then(there.motion()));
    }
    return ofFrame instanceof TransformLookup.Found ? ofIn : ofFrame;
  }

  /** Returns the transform of the first frame in the last. */
  private TransformLookup along(List<String> way, Function<Edge, TransformLookup> at) {
    RigidTransform motion = RigidTransform.IDENTITY;
    for (int i = 0; i + 1 < way.size(); i++) {
      TransformLookup step = at.apply(edges.get(way.get(i)).get(way.get(i + 1)));
      if (!(step instanceof TransformLookup.Found found)) {
        return step;
      }
      motion = found.motion().then(motion);
    }
    return new TransformLookup.Found(motion);
  }

  /**
   * Returns all paths upwards from a frame, each to a frame without parents outside of the path.
   */
  private List<List<String>> ways(String frame) {
    List<List<String>> ways = new ArrayList<>();
    climb(new ArrayList<>(List.of(frame)), ways);
    return ways;
  }

  private void climb(List<String> way, List<List<String>> ways) {
    if (ways.size() >= MAX_PATHS) {
      return;
    }
    List<Edge> further =
        parents(way.get(way.size() - 1)).filter(edge -> !way.contains(edge.parent)).toList();
    if (further.isEmpty()) {
      ways.add(List.copyOf(way));
    }
    for (Edge edge : further) {
      way.add(edge.parent);
      climb(way, ways);
      way.remove(way.size() - 1);
    }
  }
}
