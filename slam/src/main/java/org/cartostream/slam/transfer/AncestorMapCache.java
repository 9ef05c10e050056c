package org.cartostream.slam.transfer;

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
import org.cartostream.slam.map.MapMemory;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;

/**
 * Cache of ancestors' maps and the latest scans on a task, so that particles can be sent to it as
 * poses alone, or as the tiles in which they differ from an ancestor.
 *
 * <p>Owns the maps of the ancestors that its {@link AncestorIndex} names, and the beams of the
 * latest {@link TaskLayout#reach} key frames. The maps share their tiles with those of living
 * particles. A single task keeps nothing.
 */
public final class AncestorMapCache {

  /** A map with the history that led to it, as far as it is known. */
  public record AncestorMap(TiledMap map, PoseHistory history) {}

  private final int task;
  private final boolean alone;
  private final int reach;
  private final AncestorIndex ancestorIndex;
  private final ScanMatcher matcher;
  private final Map<Long, AncestorMap> ancestors = new HashMap<>();

  /** Beams of the last key frames, each in the place of the one {@link TaskLayout#reach} before. */
  private final Beams[] seen;

  public AncestorMapCache(
      int task, TaskLayout taskLayout, AncestorIndex ancestorIndex, ScanMatcher matcher) {
    this.task = task;
    this.alone = taskLayout.tasks() == 1;
    this.reach = taskLayout.reach();
    this.seen = new Beams[reach];
    this.ancestorIndex = ancestorIndex;
    this.matcher = matcher;
  }

  /** Begins in the middle of a run, see {@link AncestorIndex#restart}. */
  public void restart(int[] owners) {
    if (!alone) {
      ancestorIndex.restart(owners);
    }
  }

  /** Takes in a key frame's resampling decision. */
  public void advance(Resampling resampling, int[] ownerAfter) {
    if (!alone) {
      ancestorIndex.advance(resampling, ownerAfter);
    }
  }

  /** Returns a history extended by the current key frame's pose. */
  public PoseHistory extended(PoseHistory poseHistory, Pose pose) {
    if (alone || reach == 0) {
      return null;
    }
    int keyFrame = ancestorIndex.keyFrame();
    PoseHistory extended = new PoseHistory(keyFrame, pose, poseHistory);
    if (keyFrame % reach == 0) {
      PoseHistory.truncate(poseHistory, keyFrame - reach);
    }
    return extended;
  }

  /**
   * Returns the number of the key frame that was decided last; maps written ahead hold the next
   * one, too.
   */
  public int keyFrame() {
    return ancestorIndex.keyFrame();
  }

  /**
   * Returns the data sent with a particle that moves, before the current key frame's decision:
   * poses or tiles, whichever are fewer bytes.
   */
  public MapTransfer pack(ParticleMove particleMove, TiledMap map, PoseHistory poseHistory) {
    if (particleMove.ancestor() == ParticleMove.NO_ANCESTOR) {
      return MapTransfer.ofTiles(MapCodec.encode(map, MapCodec.EVER));
    }
    int after = ancestorIndex.keyFrame() - particleMove.keyFrames();
    Optional<Pose[]> path =
        particleMove.keyFrames() > reach
            ? Optional.empty()
            : PoseHistory.latest(poseHistory, particleMove.keyFrames());
    if (path.isEmpty()) {
      return MapTransfer.ofTiles(MapCodec.encode(map, after));
    }
    MapTransfer poses = MapTransfer.ofPoses(path.get());
    if (poses.bytes() <= MapCodec.estimatedBytes(map, after)) {
      return poses;
    }
    MapTransfer tiles = MapTransfer.ofTiles(MapCodec.encode(map, after));
    return tiles.bytes() < poses.bytes() ? tiles : poses;
  }

  /**
   * Returns the rebuilt maps of particles that arrived, after the current key frame's decision.
   * Scans at poses that relatives have in common are entered once for all.
   *
   * @throws IllegalStateException if an ancestor's map is not here
   */
  public Map<ParticleTransfer, AncestorMap> unpack(List<ParticleTransfer> particleTransfers) {
    Map<ParticleTransfer, AncestorMap> whole = new IdentityHashMap<>();
    Map<Long, List<ParticleTransfer>> relatives = new TreeMap<>();
    for (ParticleTransfer particleTransfer : particleTransfers) {
      if (particleTransfer.map().length == 0) {
        relatives
            .computeIfAbsent(particleTransfer.ancestor(), id -> new ArrayList<>())
            .add(particleTransfer);
      } else {
        whole.put(particleTransfer, new AncestorMap(tiled(particleTransfer), null));
      }
    }
    relatives.forEach(
        (id, family) -> {
          AncestorMap ancestor = ancestor(family.get(0));
          grow(new AncestorMap(ancestor.map.fork(), ancestor.history), 0, family, whole);
        });
    return whole;
  }

  private TiledMap tiled(ParticleTransfer particleTransfer) {
    if (particleTransfer.ancestor() == ParticleMove.NO_ANCESTOR) {
      return MapCodec.decode(particleTransfer.map());
    }
    TiledMap map = ancestor(particleTransfer).map.fork();
    MapCodec.update(map, particleTransfer.map());
    return map;
  }

  private AncestorMap ancestor(ParticleTransfer particleTransfer) {
    AncestorMap ancestor = ancestors.get(particleTransfer.ancestor());
    if (ancestor == null) {
      throw new IllegalStateException(
          "particle %d came without its map, but task %d has none of its ancestor %d"
              .formatted(particleTransfer.parent(), task, particleTransfer.ancestor()));
    }
    return ancestor;
  }

  /**
   * Enters the scans of related particles' paths: common poses once, then each branch in a fork of
   * the map.
   *
   * @param ancestorMap their common map, written to here only, which has the first {@code from} of
   *     their poses
   */
  private void grow(
      AncestorMap ancestorMap,
      int from,
      List<ParticleTransfer> family,
      Map<ParticleTransfer, AncestorMap> whole) {
    Pose[] path = family.get(0).path();
    PoseHistory poseHistory = ancestorMap.history;
    int at = from;
    while (at < path.length && areTogether(family, at)) {
      int keyFrame = ancestorIndex.keyFrame() - path.length + at;
      ancestorMap.map.setKeyFrame(keyFrame);
      matcher.updateMap(ancestorMap.map, seen[keyFrame % reach], path[at]);
      poseHistory = new PoseHistory(keyFrame, path[at], poseHistory);
      at++;
    }
    if (at == path.length) {
      AncestorMap grown = new AncestorMap(ancestorMap.map, poseHistory);
      family.forEach(particleTransfer -> whole.put(particleTransfer, grown));
      return;
    }
    Map<Pose, List<ParticleTransfer>> branches = new LinkedHashMap<>();
    for (ParticleTransfer particleTransfer : family) {
      branches
          .computeIfAbsent(particleTransfer.path()[at], pose -> new ArrayList<>())
          .add(particleTransfer);
    }
    int left = branches.size();
    for (List<ParticleTransfer> branch : branches.values()) {
      left--;
      grow(
          new AncestorMap(left == 0 ? ancestorMap.map : ancestorMap.map.fork(), poseHistory),
          at,
          branch,
          whole);
    }
  }

  private static boolean areTogether(List<ParticleTransfer> family, int at) {
    Pose pose = family.get(0).path()[at];
    return family.stream().allMatch(particleTransfer -> particleTransfer.path()[at].equals(pose));
  }

  /** Ends the key frame: its scan is entered in all maps. */
  public void updated(Beams beams) {
    if (alone) {
      return;
    }
    if (ancestorIndex.hasGrown()) {
      ancestors.keySet().retainAll(ancestorIndex.keptBy(task));
    }
    if (reach == 0) {
      return;
    }
    int keyFrame = ancestorIndex.keyFrame();
    seen[keyFrame % reach] = beams;
    if (keyFrame % reach == 0) {
      ancestors
          .values()
          .forEach(ancestorMap -> PoseHistory.truncate(ancestorMap.history, keyFrame - reach));
    }
  }

  /** Counts the ancestors' maps. */
  public void countInto(MapMemory mapMemory) {
    ancestors.values().forEach(ancestor -> mapMemory.add(ancestor.map()));
  }

  /**
   * Keeps a particle's map, which has the current key frame's scan, if the particle is an ancestor.
   */
  public void keep(int particle, TiledMap map, PoseHistory poseHistory) {
    if (!alone && ancestorIndex.hasGrown()) {
      ancestors.computeIfAbsent(
          ancestorIndex.latest(particle), id -> new AncestorMap(map.fork(), poseHistory));
    }
  }
}
