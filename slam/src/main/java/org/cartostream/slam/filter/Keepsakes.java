package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapCodec;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;

/**
 * What a task keeps so that particles can come to it by their poses alone.
 *
 * <p>Owns the maps of the ancestors that its {@link Ancestry} names, and the beams of the latest
 * {@link Ancestry#REACH} key frames. The maps share their tiles with those of living particles. A
 * task that is alone keeps nothing.
 */
final class Keepsakes {

  /** A map with the trail that led to it. */
  record Past(TiledMap map, Trail trail) {}

  private final int task;
  private final boolean alone;
  private final Ancestry ancestry;
  private final ScanMatcher matcher;
  private final Map<Long, Past> ancestors = new HashMap<>();

  /** By key frame, in the place of the one {@link Ancestry#REACH} before. */
  private final Beams[] seen = new Beams[Ancestry.REACH];

  Keepsakes(int task, int tasks, Ancestry ancestry, ScanMatcher matcher) {
    this.task = task;
    this.alone = tasks == 1;
    this.ancestry = ancestry;
    this.matcher = matcher;
  }

  /** Begins in the middle of a run, see {@link Ancestry#beginAgain}. */
  void beginAgain(int[] parents, int[] owners) {
    if (!alone) {
      ancestry.beginAgain(parents, owners);
    }
  }

  /** A key frame was judged. */
  void advance(Resampling resampling, int[] ownerAfter) {
    if (!alone) {
      ancestry.advance(resampling, ownerAfter);
    }
  }

  /** The trail with the current key frame's pose. */
  Trail extended(Trail trail, Pose pose) {
    if (alone) {
      return null;
    }
    int keyFrame = ancestry.keyFrame();
    Trail extended = new Trail(keyFrame, pose, trail);
    if (keyFrame % Ancestry.REACH == 0) {
      Trail.cut(trail, keyFrame - Ancestry.REACH);
    }
    return extended;
  }

  /**
   * What came with particles, made whole; after the current key frame was judged. Scans at poses
   * that relatives have in common are entered once for all.
   *
   * @throws IllegalStateException if an ancestor's map is not here
   */
  Map<Parcel, Past> arrived(List<Parcel> parcels) {
    Map<Parcel, Past> whole = new IdentityHashMap<>();
    Map<Long, List<Parcel>> relatives = new TreeMap<>();
    for (Parcel parcel : parcels) {
      if (parcel.ancestor() == Ancestry.NONE) {
        whole.put(parcel, new Past(MapCodec.decode(parcel.map()), trail(parcel.path())));
      } else {
        relatives.computeIfAbsent(parcel.ancestor(), id -> new ArrayList<>()).add(parcel);
      }
    }
    relatives.forEach(
        (id, family) -> {
          Past ancestor = ancestors.get(id);
          if (ancestor == null) {
            throw new IllegalStateException(
                "particle %d came without its map, but task %d has none of its ancestor %d"
                    .formatted(family.get(0).parent(), task, id));
          }
          grow(new Past(ancestor.map.fork(), ancestor.trail), 0, family, whole);
        });
    return whole;
  }

  private Trail trail(Pose[] path) {
    Trail trail = null;
    for (int i = 0; i < path.length; i++) {
      trail = new Trail(ancestry.keyFrame() - path.length + i, path[i], trail);
    }
    return trail;
  }

  /**
   * Goes on from where relatives are the same to where each is itself.
   *
   * @param past their map, which nobody else writes to, with the first {@code from} of their poses
   */
  private void grow(Past past, int from, List<Parcel> family, Map<Parcel, Past> whole) {
    Pose[] path = family.get(0).path();
    Trail trail = past.trail;
    int at = from;
    while (at < path.length && areTogether(family, at)) {
      int keyFrame = ancestry.keyFrame() - path.length + at;
      matcher.register(past.map, seen[keyFrame % Ancestry.REACH], path[at]);
      trail = new Trail(keyFrame, path[at], trail);
      at++;
    }
    if (at == path.length) {
      Past grown = new Past(past.map, trail);
      family.forEach(parcel -> whole.put(parcel, grown));
      return;
    }
    Map<Pose, List<Parcel>> branches = new LinkedHashMap<>();
    for (Parcel parcel : family) {
      branches.computeIfAbsent(parcel.path()[at], pose -> new ArrayList<>()).add(parcel);
    }
    int left = branches.size();
    for (List<Parcel> branch : branches.values()) {
      left--;
      grow(new Past(left == 0 ? past.map : past.map.fork(), trail), at, branch, whole);
    }
  }

  private static boolean areTogether(List<Parcel> family, int at) {
    Pose pose = family.get(0).path()[at];
    return family.stream().allMatch(parcel -> parcel.path()[at].equals(pose));
  }

  /** The current key frame's scan is in all maps. */
  void registered(Beams beams) {
    if (alone) {
      return;
    }
    seen[ancestry.keyFrame() % Ancestry.REACH] = beams;
    if (ancestry.hasGrown()) {
      ancestors.keySet().retainAll(ancestry.keptBy(task));
    }
  }

  /** A particle that is here, with the current key frame's scan in its map. */
  void keep(int particle, TiledMap map, Trail trail) {
    if (!alone && ancestry.hasGrown()) {
      ancestors.computeIfAbsent(ancestry.latest(particle), id -> new Past(map.fork(), trail));
    }
  }
}
