package org.cartostream.gateway.ros.tf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.cartostream.ros.message.TransformStamped;

/**
 * The tree of a robot's coordinate frames, from {@code /tf} and {@code /tf_static}: each lies in
 * one parent.
 *
 * <p>Owns each frame's parent and transforms, and the last that was invalid; not for several
 * threads.
 */
public final class TransformTree {

  /** A chain that is longer runs in a circle. */
  private static final int LONGEST_CHAIN = 64;

  private final class Edge {
    private final String parent;
    private final boolean fixed;
    private final TransformBuffer transformBuffer = new TransformBuffer();

    private Edge(String parent, boolean fixed) {
      this.parent = parent;
      this.fixed = fixed;
    }

    /**
     * A link that never changed is taken for a fixed one, however seldom it is published: {@code
     * robot_state_publisher} sends those of a robot's body on {@code /tf}. Odometry is none, though
     * the robot may stand still.
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

  private final Map<String, Edge> edges = new HashMap<>();

  /** The last transform of a frame if it was invalid, for people. */
  private final Map<String, String> whyInvalid = new HashMap<>();

  /**
   * @param odomFrame the frame in which odometry moves the robot
   */
  public TransformTree(String odomFrame) {
    this.odomFrame = name(odomFrame);
  }

  /** A frame's name as tf2 has it: without the slash that tf wrote before it. */
  public static String name(String frame) {
    return frame.startsWith("/") ? frame.substring(1) : frame;
  }

  /**
   * Adds a transform; an invalid one is left out.
   *
   * @param fixed true if it holds for all times
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
    Edge edge = edges.get(child);
    if (edge == null || !edge.parent.equals(parent) || edge.fixed != fixed) {
      edge = new Edge(parent, fixed);
      edges.put(child, edge);
    }
    edge.transformBuffer.add(transform.header().stamp(), motion);
  }

  /** Two frames, one of which moves in the other. */
  public record Link(String parent, String child) {}

  /** The highest link that moves, most likely odometry; empty if none does. */
  public Optional<Link> movingLink() {
    return edges.entrySet().stream()
        .filter(each -> !each.getValue().fixed && each.getValue().transformBuffer.hasChanged())
        .map(each -> new Link(each.getValue().parent, each.getKey()))
        .min(
            Comparator.comparingInt((Link link) -> chain(link.parent()).size())
                .thenComparing(Link::child));
  }

  /** That a frame is not known, to be added to a sentence; empty if it is. */
  public String unknown(String frame) {
    return knows(frame) ? "" : "; no transform names '" + frame + "'";
  }

  /** True if a transform has named the frame. */
  public boolean knows(String frame) {
    return edges.containsKey(frame)
        || edges.values().stream().anyMatch(edge -> edge.parent.equals(frame));
  }

  /**
   * The frame in which {@code frame} moves: the highest below {@code map}, if any frame on the way
   * up to it moves; else empty.
   */
  public Optional<String> moving(String frame, String map) {
    Optional<String> in = Optional.empty();
    for (String child : chain(frame)) {
      Edge edge = edges.get(child);
      if (edge == null || edge.parent.equals(map)) {
        return in;
      }
      in = edge.fixed ? in : Optional.of(edge.parent);
    }
    return in;
  }

  /** The invalid transforms of a frame or those above it, to be added to a sentence. */
  public String whyInvalid(String frame) {
    return chain(frame).stream()
        .map(each -> whyInvalid.getOrDefault(each, ""))
        .reduce("", String::concat);
  }

  /** Where {@code frame} lay in {@code in} at a time. */
  public TransformLookup at(String in, String frame, long stampNanos) {
    return find(in, frame, edge -> edge.at(stampNanos));
  }

  /** Where {@code frame} lies in {@code in} by the newest transforms; empty if unconnected. */
  public Optional<RigidTransform> latest(String in, String frame) {
    TransformLookup transformLookup =
        find(in, frame, edge -> new TransformLookup.Found(edge.transformBuffer.latest()));
    return transformLookup instanceof TransformLookup.Found found
        ? Optional.of(found.motion())
        : Optional.empty();
  }

  /** Up from both to where their chains meet. */
  private TransformLookup find(String in, String frame, Function<Edge, TransformLookup> at) {
    List<String> up = chain(in);
    List<String> down = chain(frame);
    String meeting = down.stream().filter(up::contains).findFirst().orElse(null);
    if (meeting == null) {
      return new TransformLookup.Unconnected();
    }
    TransformLookup ofIn = along(up.subList(0, up.indexOf(meeting)), at);
    TransformLookup ofFrame = along(down.subList(0, down.indexOf(meeting)), at);
    if (ofIn instanceof TransformLookup.Found here
        && ofFrame instanceof TransformLookup.Found there) {
      return new TransformLookup.Found(here.motion().inverse().then(there.motion()));
    }
    return ofFrame instanceof TransformLookup.Found ? ofIn : ofFrame;
  }

  /** Where the first frame lies in the parent of the last. */
  private TransformLookup along(List<String> chain, Function<Edge, TransformLookup> at) {
    RigidTransform motion = RigidTransform.IDENTITY;
    for (String frame : chain) {
      TransformLookup step = at.apply(edges.get(frame));
      if (!(step instanceof TransformLookup.Found found)) {
        return step;
      }
      motion = found.motion().then(motion);
    }
    return new TransformLookup.Found(motion);
  }

  private List<String> chain(String frame) {
    List<String> chain = new ArrayList<>(List.of(frame));
    for (Edge edge = edges.get(frame);
        edge != null && chain.size() < LONGEST_CHAIN;
        edge = edges.get(edge.parent)) {
      chain.add(edge.parent);
    }
    return chain;
  }
}
