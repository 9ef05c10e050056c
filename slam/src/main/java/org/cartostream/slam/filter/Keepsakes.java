package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapCodec;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;

/**
 * What a task keeps so that particles can come to it by their poses alone, or by the tiles in which
 * they differ from an ancestor.
 *
 * <p>Owns the maps of the ancestors that its {@link Ancestry} names, and the beams of the latest
 * {@link Team#reach} key frames. The maps share their tiles with those of living particles. A task
 * that is alone keeps nothing.
 */
final class Keepsakes {

  /** A map with the trail that led to it, as far as it is known. */
  record Past(TiledMap map, Trail trail) {}

  private final int task;
  private final boolean alone;
  private final int reach;
  private final Ancestry ancestry;
  private final ScanMatcher matcher;
  private final Map<Long, Past> ancestors = new HashMap<>();

  /** By key frame, in the place of the one {@link Team#reach} before. */
  private final Beams[] seen;

  Keepsakes(int task, Team team, Ancestry ancestry, ScanMatcher matcher) {
    this.task = task;
    this.alone = team.tasks() == 1;
    this.reach = team.reach();
    this.seen = new Beams[reach];
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
    if (alone || reach == 0) {
      return null;
    }
    int keyFrame = ancestry.keyFrame();
    Trail extended = new Trail(keyFrame, pose, trail);
    if (keyFrame % reach == 0) {
      Trail.cut(trail, keyFrame - reach);
    }
    return extended;
  }

  /** The key frame that was judged last; maps that are written ahead have the next one, too. */
  int keyFrame() {
    return ancestry.keyFrame();
  }

  /**
   * What goes along with a particle that moves, before the current key frame is judged: poses or
   * tiles, whichever are fewer bytes.
   */
  Luggage luggage(Move move, TiledMap map, Trail trail) {
    if (move.ancestor() == Ancestry.NONE) {
      return Luggage.ofTiles(MapCodec.encode(map, MapCodec.EVER));
    }
    int after = ancestry.keyFrame() - move.keyFrames();
    Optional<Pose[]> path =
        move.keyFrames() > reach ? Optional.empty() : Trail.latest(trail, move.keyFrames());
    if (path.isEmpty()) {
      return Luggage.ofTiles(MapCodec.encode(map, after));
    }
    Luggage poses = Luggage.ofPoses(path.get());
    if (poses.bytes() <= MapCodec.estimatedBytes(map, after)) {
      return poses;
    }
    Luggage tiles = Luggage.ofTiles(MapCodec.encode(map, after));
    return tiles.bytes() < poses.bytes() ? tiles : poses;
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
      if (parcel.map().length == 0) {
        relatives.computeIfAbsent(parcel.ancestor(), id -> new ArrayList<>()).add(parcel);
      } else {
        whole.put(parcel, new Past(tiled(parcel), null));
      }
    }
    relatives.forEach(
        (id, family) -> {
          Past ancestor = ancestor(family.get(0));
          grow(new Past(ancestor.map.fork(), ancestor.trail), 0, family, whole);
        });
    return whole;
  }

  private TiledMap tiled(Parcel parcel) {
    if (parcel.ancestor() == Ancestry.NONE) {
      return MapCodec.decode(parcel.map());
    }
    TiledMap map = ancestor(parcel).map.fork();
    MapCodec.update(map, parcel.map());
    return map;
  }

  private Past ancestor(Parcel parcel) {
    Past ancestor = ancestors.get(parcel.ancestor());
    if (ancestor == null) {
      throw new IllegalStateException(
          "particle %d came without its map, but task %d has none of its ancestor %d"
              .formatted(parcel.parent(), task, parcel.ancestor()));
    }
    return ancestor;
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
      past.map.writeAt(keyFrame);
      matcher.register(past.map, seen[keyFrame % reach], path[at]);
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
    if (ancestry.hasGrown()) {
      ancestors.keySet().retainAll(ancestry.keptBy(task));
    }
    if (reach == 0) {
      return;
    }
    int keyFrame = ancestry.keyFrame();
    seen[keyFrame % reach] = beams;
    if (keyFrame % reach == 0) {
      ancestors.values().forEach(past -> Trail.cut(past.trail, keyFrame - reach));
    }
  }

  /** A particle that is here, with the current key frame's scan in its map. */
  void keep(int particle, TiledMap map, Trail trail) {
    if (!alone && ancestry.hasGrown()) {
      ancestors.computeIfAbsent(ancestry.latest(particle), id -> new Past(map.fork(), trail));
    }
  }
}
