package org.cartostream.gateway.ros;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.cartostream.gateway.ros.message.TransformStamped;

/**
 * The frames of a robot as {@code /tf} and {@code /tf_static} tell them: each lies in one parent.
 *
 * <p>Owns each frame's parent and track, and what was said of it in vain; not for several threads.
 */
final class FrameTree {

  /** A chain that is longer runs in a circle. */
  private static final int LONGEST_CHAIN = 64;

  private static final class Edge {
    private final String parent;
    private final boolean fixed;
    private final Track track = new Track();

    private Edge(String parent, boolean fixed) {
      this.parent = parent;
      this.fixed = fixed;
    }

    private Lookup at(long stampNanos) {
      return fixed ? new Lookup.Found(track.latest()) : track.at(stampNanos);
    }
  }

  private final Map<String, Edge> edges = new HashMap<>();

  /** What was said of a frame last that makes no sense, for people. */
  private final Map<String, String> wrong = new HashMap<>();

  /** A frame's name as tf2 has it: without the slash that tf wrote before it. */
  static String name(String frame) {
    return frame.startsWith("/") ? frame.substring(1) : frame;
  }

  /**
   * Takes a transform; one that makes no sense is left out.
   *
   * @param fixed true if it holds for all times
   */
  void add(TransformStamped transform, boolean fixed) {
    RigidMotion motion = RigidMotion.of(transform.transform());
    String child = name(transform.childFrameId());
    String parent = name(transform.header().frameId());
    if (child.equals(parent)) {
      return;
    }
    if (!motion.makesSense()) {
      wrong.put(child, "; from '" + parent + "' to '" + child + "' comes " + motion.wrong());
      return;
    }
    wrong.remove(child);
    Edge edge = edges.get(child);
    if (edge == null || !edge.parent.equals(parent) || edge.fixed != fixed) {
      edge = new Edge(parent, fixed);
      edges.put(child, edge);
    }
    edge.track.add(transform.header().stamp(), motion);
  }

  /** True if somebody has told of the frame. */
  boolean knows(String frame) {
    return edges.containsKey(frame)
        || edges.values().stream().anyMatch(edge -> edge.parent.equals(frame));
  }

  /**
   * The frame in which {@code frame} moves: the highest below {@code map}, if any frame on the way
   * up to it moves; else empty.
   */
  Optional<String> moving(String frame, String map) {
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

  /** What was said of a frame, or one above it, that makes no sense, to be added to a sentence. */
  String wrong(String frame) {
    return chain(frame).stream()
        .map(each -> wrong.getOrDefault(each, ""))
        .reduce("", String::concat);
  }

  /** Where {@code frame} lay in {@code in} at a time. */
  Lookup at(String in, String frame, long stampNanos) {
    return find(in, frame, edge -> edge.at(stampNanos));
  }

  /** Where {@code frame} lies in {@code in} by all that was said last; empty if unconnected. */
  Optional<RigidMotion> latest(String in, String frame) {
    Lookup lookup = find(in, frame, edge -> new Lookup.Found(edge.track.latest()));
    return lookup instanceof Lookup.Found found ? Optional.of(found.motion()) : Optional.empty();
  }

  /** Up from both to where their chains meet. */
  private Lookup find(String in, String frame, Function<Edge, Lookup> at) {
    List<String> up = chain(in);
    List<String> down = chain(frame);
    String meeting = down.stream().filter(up::contains).findFirst().orElse(null);
    if (meeting == null) {
      return new Lookup.Unconnected();
    }
    Lookup ofIn = along(up.subList(0, up.indexOf(meeting)), at);
    Lookup ofFrame = along(down.subList(0, down.indexOf(meeting)), at);
    if (ofIn instanceof Lookup.Found here && ofFrame instanceof Lookup.Found there) {
      return new Lookup.Found(here.motion().inverse().then(there.motion()));
    }
    return ofFrame instanceof Lookup.Found ? ofIn : ofFrame;
  }

  /** Where the first frame lies in the parent of the last. */
  private Lookup along(List<String> chain, Function<Edge, Lookup> at) {
    RigidMotion motion = RigidMotion.NONE;
    for (String frame : chain) {
      Lookup step = at.apply(edges.get(frame));
      if (!(step instanceof Lookup.Found found)) {
        return step;
      }
      motion = found.motion().then(motion);
    }
    return new Lookup.Found(motion);
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
