package org.cartostream.gateway.ros.bag;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.slam.geometry.Pose;

/**
 * Detector of transforms that have one frame at two places at one time: two robots with the same
 * frames in two files, or two publishers in one. Places between two stamps are interpolated.
 *
 * <p>Owns the last places of each transform by file, the fixed ones, and the times of each file.
 */
final class ContradictingTransforms {

  /**
   * Distance by which two robots or odometries differ, metres; one moves less between two stamps.
   */
  private static final double APART_METRES = 0.2;

  /** Number of contradictions that are reported; fewer are outliers. */
  private static final int MIN_COUNT = 5;

  /** Places of a static transform that are remembered; of one that moves there is no end. */
  private static final int MAX_PLACES = 100;

  /** Distance that rounding may cause between two copies of a static transform, metres. */
  private static final double SAME_METRES = 1e-3;

  private static final double SAME_RADIANS = 2e-3;

  private record Place(long nanos, Pose pose) {}

  /** The last two places of one transform in one file, and the number of jumps there and back. */
  private static final class Way {
    private Place before;
    private Place last;
    private long back;

    private void add(Place place) {
      if (isBetween(before, last, place) && isApart(before, last, place)) {
        back++;
      }
      before = last;
      last = place;
    }
  }

  private record Fixed(String file, Pose pose) {}

  private final Map<String, Map<String, Way>> ways = new TreeMap<>();
  private final Map<String, List<Fixed>> fixed = new TreeMap<>();

  /** Number of contradictions by transform, first file and second file. */
  private final Map<List<String>, Integer> apart = new LinkedHashMap<>();

  /** Recording times of the first and the last message by file, nanoseconds. */
  private final Map<String, long[]> times = new HashMap<>();

  private static boolean isBetween(Place from, Place middle, Place to) {
    return from != null
        && middle != null
        && from.nanos <= middle.nanos
        && middle.nanos <= to.nanos
        && to.nanos - from.nanos <= TransformBuffer.MAX_GAP_NANOS;
  }

  /**
   * True if {@code middle} is farther from its interpolated place than the motion from {@code from}
   * to {@code to} can explain.
   */
  private static boolean isApart(Place from, Place middle, Place to) {
    double share =
        to.nanos == from.nanos ? 0 : (double) (middle.nanos - from.nanos) / (to.nanos - from.nanos);
    Pose expected =
        new Pose(
            from.pose.x() + share * (to.pose.x() - from.pose.x()),
            from.pose.y() + share * (to.pose.y() - from.pose.y()),
            0);
    return expected.distance(middle.pose) > APART_METRES + 2 * from.pose.distance(to.pose);
  }

  /** Takes the recording time of a message. */
  void recorded(String file, long atNanos) {
    long[] range = times.computeIfAbsent(file, any -> new long[] {atNanos, atNanos});
    range[0] = Math.min(range[0], atNanos);
    range[1] = Math.max(range[1], atNanos);
  }

  /**
   * Takes a moving transform or odometry.
   *
   * @param what name of the transform or the odometry, for people
   */
  void moving(String file, String what, long stampNanos, RigidTransform motion) {
    if (!motion.isValid()) {
      return;
    }
    Place place = new Place(stampNanos, motion.planar());
    Map<String, Way> byFile = ways.computeIfAbsent(what, any -> new TreeMap<>());
    Way own = byFile.computeIfAbsent(file, any -> new Way());
    byFile.forEach(
        (otherFile, other) -> {
          if (other != own
              && isBetween(own.last, other.last, place)
              && isApart(own.last, other.last, place)) {
            apart.merge(List.of(what, otherFile, file), 1, Integer::sum);
          }
        });
    own.add(place);
  }

  /** Takes a static transform. */
  void fixed(String file, String what, RigidTransform motion) {
    if (!motion.isValid()) {
      return;
    }
    Pose pose = motion.planar();
    List<Fixed> all = fixed.computeIfAbsent(what, any -> new ArrayList<>());
    if (all.size() < MAX_PLACES && all.stream().noneMatch(each -> isSame(each.pose, pose))) {
      all.add(new Fixed(file, pose));
    }
  }

  private static boolean isSame(Pose one, Pose other) {
    return one.distance(other) < SAME_METRES && Math.abs(one.to(other).theta()) < SAME_RADIANS;
  }

  /**
   * Returns a sentence if two files have one transform at two places at one time; empty if none
   * has.
   */
  Optional<String> ofTwoFiles() {
    for (Map.Entry<List<String>, Integer> each : apart.entrySet()) {
      String what = each.getKey().get(0);
      boolean isOfOne = ways.get(what).values().stream().anyMatch(way -> way.back >= MIN_COUNT);
      if (each.getValue() >= MIN_COUNT && !isOfOne) {
        return Optional.of(twoFiles(what, each.getKey().get(1), each.getKey().get(2)));
      }
    }
    for (Map.Entry<String, List<Fixed>> each : fixed.entrySet()) {
      String first = each.getValue().get(0).file;
      for (Fixed other : each.getValue()) {
        if (!other.file.equals(first) && overlap(times.get(first), times.get(other.file))) {
          return Optional.of(twoFiles(each.getKey(), first, other.file));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean overlap(long[] one, long[] other) {
    return one[0] < other[1] && other[0] < one[1];
  }

  private static String twoFiles(String what, String one, String other) {
    return "%s is at two places at one time in %s and %s: they are of two robots, or of two drives; map one, and go on with the other by --continue and the first one's run.state, --at where it begins"
        .formatted(what, one, other);
  }

  /** Returns sentences about contradictions within one file. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    ways.forEach(
        (what, byFile) -> {
          long back = byFile.values().stream().mapToLong(way -> way.back).sum();
          if (back >= MIN_COUNT) {
            notes.add(
                "%s goes to and fro between two places, %d times: it has two publishers, of which one should end"
                    .formatted(what, back));
          }
        });
    fixed.forEach(
        (what, all) -> {
          if (all.size() > 1) {
            notes.add(
                "%s is fixed and has %s%d places, %s and %s first; the last one recorded before a scan counts"
                    .formatted(
                        what,
                        all.size() < MAX_PLACES ? "" : "at least ",
                        all.size(),
                        shown(all.get(0)),
                        shown(all.get(1))));
          }
        });
    return notes;
  }

  private static String shown(Fixed each) {
    return String.format(
        Locale.ROOT,
        "(%.3f m, %.3f m, %.1f degrees)",
        each.pose.x(),
        each.pose.y(),
        Math.toDegrees(each.pose.theta()));
  }
}
