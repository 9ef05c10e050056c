package org.cartostream.slam.filter;

import java.util.HashMap;
import java.util.Map;
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
   * What came with a particle, made whole; after the current key frame was judged.
   *
   * @throws IllegalStateException if its ancestor's map is not here
   */
  Past arrived(Parcel parcel) {
    int first = ancestry.keyFrame() - parcel.path().length;
    if (parcel.ancestor() == Ancestry.NONE) {
      return new Past(MapCodec.decode(parcel.map()), extended(null, parcel.path(), first));
    }
    Past ancestor = ancestors.get(parcel.ancestor());
    if (ancestor == null) {
      throw new IllegalStateException(
          "particle "
              + parcel.parent()
              + " came without its map, but task "
              + task
              + " has none of its ancestor "
              + parcel.ancestor());
    }
    TiledMap map = ancestor.map.fork();
    for (int i = 0; i < parcel.path().length; i++) {
      matcher.register(map, seen[(first + i) % Ancestry.REACH], parcel.path()[i]);
    }
    return new Past(map, extended(ancestor.trail, parcel.path(), first));
  }

  private static Trail extended(Trail trail, Pose[] path, int first) {
    Trail extended = trail;
    for (int i = 0; i < path.length; i++) {
      extended = new Trail(first + i, path[i], extended);
    }
    return extended;
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
