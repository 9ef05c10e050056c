package org.cartostream.slam.particle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The move of one particle from one task to another. The particle's map is sent once, however many
 * children it has at the target.
 *
 * @param parent the particle's number before resampling
 * @param from the task that holds it
 * @param to the task that gets it
 * @param children the numbers of its children at {@code to} after resampling, ascending
 * @param ancestor number of the ancestor from whose map {@code to} rebuilds the particle's map;
 *     {@link #NO_ANCESTOR} if the whole map is sent
 * @param keyFrames how many key frames the particle's map has taken in since the ancestor's,
 *     without the current one; 0 if there is none
 */
public record ParticleMove(
    int parent, int from, int to, int[] children, long ancestor, int keyFrames) {

  /** Value of {@link #ancestor} if there is none. */
  public static final long NO_ANCESTOR = -1;

  /** Returns a copy with another ancestor. */
  public ParticleMove from(long itsAncestor, int keyFramesSince) {
    return new ParticleMove(parent, from, to, children, itsAncestor, keyFramesSince);
  }

  /**
   * The moves that a resampling asks for, with whole maps, ordered by parent, then by target.
   * Sender and receiver both derive what to send and what to expect from it.
   *
   * @param parents old particle of each new one
   * @param ownerBefore task of each old particle
   * @param ownerAfter task of each new particle
   */
  public static List<ParticleMove> between(int[] parents, int[] ownerBefore, int[] ownerAfter) {
    Map<Integer, Map<Integer, List<Integer>>> children = new TreeMap<>();
    for (int child = 0; child < parents.length; child++) {
      if (ownerBefore[parents[child]] != ownerAfter[child]) {
        children
            .computeIfAbsent(parents[child], parent -> new TreeMap<>())
            .computeIfAbsent(ownerAfter[child], task -> new ArrayList<>())
            .add(child);
      }
    }
    List<ParticleMove> particleMoves = new ArrayList<>();
    children.forEach(
        (parent, byTask) ->
            byTask.forEach(
                (task, numbers) ->
                    particleMoves.add(
                        new ParticleMove(
                            parent,
                            ownerBefore[parent],
                            task,
                            numbers.stream().mapToInt(Integer::intValue).toArray(),
                            NO_ANCESTOR,
                            0))));
    return particleMoves;
  }
}
