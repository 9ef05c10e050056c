package org.cartostream.slam.localisation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Resampling in which no cluster of particles dies out by chance, for a robot that may be in one of
 * several places that look alike (clustered particle filter: Milstein, Sánchez, Williamson 2002).
 *
 * <ul>
 *   <li>Particles are drawn by systematic resampling with those of one cluster in a row: each
 *       cluster has as many of the new particles as its share says, to within one (about order:
 *       Gerber, Chopin, Whiteley 2019). If clusters were mixed, their numbers of particles would
 *       drift until one cluster has all.
 *   <li>A cluster that is unlikely for the moment keeps some dozens of particles, which together
 *       weigh as much as the cluster did: it may be the right place, and become likelier later.
 *   <li>What earlier scans said of clusters is forgotten bit by bit (power discounting: Smith
 *       1979). A map is not exact, and its errors are the same in each scan of the same walls. If
 *       each scan counted in full, then of two places that look alike the one that is mapped a
 *       little better would have all the weight in the end.
 * </ul>
 *
 * <p>A pure function of poses and weights, from which each task can compute the new particles'
 * weights.
 *
 * @param weights the particles' weights after the discount, of sum 1
 * @param shares each particle's share of the new particles: its weight, but more in clusters that
 *     are kept
 * @param order the particles' numbers, in the order in which they are drawn
 * @param clusters number of clusters that are not too unlikely to be kept
 * @param boxes number of boxes that have particles in them
 */
record ClusterResampling(double[] weights, double[] shares, int[] order, int clusters, int boxes) {

  /** Weight below which a cluster is no longer kept. */
  private static final double MIN_WEIGHT = 1e-6;

  /** Share of the mean weight below which a particle belongs to no cluster. */
  private static final double NEGLIGIBLE = 1e-6;

  /** Share of the particles that a kept cluster has: 60 of 2,000. */
  private static final double KEPT_SHARE = 0.03;

  /** Maximum number of kept clusters: they have a quarter of the particles at most. */
  private static final int MAX_KEPT = 8;

  /**
   * @param weights the particles' weights, of sum 1
   * @param forgotten discount: the share by which each cluster's log weight shrinks per scan. With
   *     0.1, a difference that is the same in each scan counts as that of ten scans
   */
  static ClusterResampling of(Pose[] poses, double[] weights, double forgotten) {
    List<List<Integer>> places = ParticleCluster.members(poses, weights, NEGLIGIBLE);
    double[] faded = faded(places, weights, forgotten);
    long clusters =
        places.stream()
            .filter(members -> ParticleCluster.weight(members, faded) >= MIN_WEIGHT)
            .count();
    return new ClusterResampling(
        faded,
        shares(places, faded),
        order(places, weights.length),
        (int) clusters,
        ParticleCluster.boxes(poses, faded, NEGLIGIBLE));
  }

  private static double[] faded(List<List<Integer>> places, double[] weights, double forgotten) {
    double[] faded = weights.clone();
    for (List<Integer> members : places) {
      double weight = ParticleCluster.weight(members, weights);
      double more = StrictMath.pow(weight, -forgotten);
      members.forEach(i -> faded[i] *= more);
    }
    double sum = 0;
    for (double each : faded) {
      sum += each;
    }
    for (int i = 0; i < faded.length; i++) {
      faded[i] /= sum;
    }
    return faded;
  }

  private static double[] shares(List<List<Integer>> places, double[] weights) {
    double[] shares = weights.clone();
    List<List<Integer>> heaviest = new ArrayList<>(places);
    heaviest.sort(
        Comparator.comparingDouble(
            (List<Integer> members) -> -ParticleCluster.weight(members, weights)));
    double sum = 1;
    for (List<Integer> members : heaviest.subList(0, Math.min(MAX_KEPT, heaviest.size()))) {
      double weight = ParticleCluster.weight(members, weights);
      if (weight >= MIN_WEIGHT && weight < KEPT_SHARE) {
        members.forEach(i -> shares[i] *= KEPT_SHARE / weight);
        sum += KEPT_SHARE - weight;
      }
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= sum;
    }
    return shares;
  }

  /**
   * Returns the particles' numbers cluster by cluster; first those in no cluster, so that the last
   * particle drawn surely has weight.
   */
  private static int[] order(List<List<Integer>> places, int count) {
    boolean[] hasPlace = new boolean[count];
    places.forEach(members -> members.forEach(i -> hasPlace[i] = true));
    int[] order = new int[count];
    int at = 0;
    for (int i = 0; i < count; i++) {
      if (!hasPlace[i]) {
        order[at++] = i;
      }
    }
    for (List<Integer> members : places) {
      for (int i : members) {
        order[at++] = i;
      }
    }
    return order;
  }

  /**
   * Returns for each new particle the old one that it copies, ascending.
   *
   * @param count number of new particles
   * @param offset the random offset of systematic resampling, in [0, 1)
   */
  int[] parents(int count, double offset) {
    int[] copies = new int[weights.length];
    int place = 0;
    double cumulated = shares[order[0]];
    for (int i = 0; i < count; i++) {
      double target = (i + offset) / count;
      while (target > cumulated && place < weights.length - 1) {
        place++;
        cumulated += shares[order[place]];
      }
      copies[order[place]]++;
    }
    int[] parents = new int[count];
    int at = 0;
    for (int i = 0; i < weights.length; i++) {
      for (int copy = 0; copy < copies[i]; copy++) {
        parents[at++] = i;
      }
    }
    return parents;
  }

  /** Returns each particle's log weight if there is no resampling, nats. */
  double[] logWeights() {
    double[] logs = new double[weights.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = StrictMath.log(weights[i]);
    }
    return logs;
  }

  /**
   * Returns each new particle's log weight after a resampling, nats, where the mean weight is 1.
   */
  double[] logWeights(int[] parents) {
    double[] logs = new double[parents.length];
    for (int i = 0; i < logs.length; i++) {
      int parent = parents[i];
      logs[i] = shares[parent] > 0 ? StrictMath.log(weights[parent] / shares[parent]) : 0;
    }
    return logs;
  }
}
