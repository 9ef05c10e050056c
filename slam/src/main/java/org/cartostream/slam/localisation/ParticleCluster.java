package org.cartostream.slam.localisation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * A cluster of particles at one place: one hypothesis of the robot's pose. As in amcl, particles
 * are counted in boxes of half a metre and ten degrees, and boxes that touch are one cluster.
 *
 * @param weight sum of the cluster's weights, where that of all particles is 1
 * @param mean weighted mean of the particles' poses
 * @param covariance weighted covariance of the particles' poses
 */
record ParticleCluster(double weight, Pose mean, SymmetricMatrix3 covariance) {

  private static final double BOX_METRES = 0.5;
  private static final int BOXES_OF_A_TURN = 36;

  /**
   * Share of the mean weight below which a particle belongs to no cluster. A particle that weighs
   * less says nothing of where the robot is; particles drawn anew all over a small room would join
   * all clusters into one.
   */
  private static final double NEGLIGIBLE = 0.01;

  private record Box(long x, long y, int heading) {

    static Box of(Pose pose) {
      double turn = pose.theta() / (2 * StrictMath.PI) + 0.5;
      return new Box(
          (long) StrictMath.floor(pose.x() / BOX_METRES),
          (long) StrictMath.floor(pose.y() / BOX_METRES),
          (int) (turn * BOXES_OF_A_TURN) % BOXES_OF_A_TURN);
    }

    List<Box> around() {
      List<Box> boxes = new ArrayList<>();
      for (int dx = -1; dx <= 1; dx++) {
        for (int dy = -1; dy <= 1; dy++) {
          for (int turn = -1; turn <= 1; turn++) {
            int turned = (heading + turn + BOXES_OF_A_TURN) % BOXES_OF_A_TURN;
            boxes.add(new Box(x + dx, y + dy, turned));
          }
        }
      }
      return boxes;
    }
  }

  /**
   * Returns the cluster with the most weight; of equal ones, that with the lowest particle number.
   *
   * @param weights of sum 1
   */
  static ParticleCluster heaviest(Pose[] poses, double[] weights) {
    List<Integer> best = List.of();
    double max = -1;
    for (List<Integer> members : members(poses, weights, NEGLIGIBLE)) {
      double weight = weight(members, weights);
      if (weight > max) {
        max = weight;
        best = members;
      }
    }
    return of(poses, weights, best);
  }

  /**
   * Returns the particles' numbers of each cluster; clusters are ordered by their lowest number.
   *
   * @param weights of sum 1
   * @param negligible share of the mean weight below which a particle is in no cluster
   */
  static List<List<Integer>> members(Pose[] poses, double[] weights, double negligible) {
    Map<Box, List<Integer>> boxes = new HashMap<>();
    List<Box> inOrder = new ArrayList<>();
    for (int i = 0; i < poses.length; i++) {
      if (weights[i] >= negligible / poses.length) {
        Box box = Box.of(poses[i]);
        boxes.computeIfAbsent(box, first -> newBox(first, inOrder)).add(i);
      }
    }
    List<List<Integer>> clusters = new ArrayList<>();
    for (Box box : inOrder) {
      List<Integer> connected = connected(box, boxes);
      if (!connected.isEmpty()) {
        clusters.add(connected);
      }
    }
    return clusters;
  }

  /** Returns the number of boxes with particles that are in a cluster, as {@link #members}. */
  static int boxes(Pose[] poses, double[] weights, double negligible) {
    return (int)
        IntStream.range(0, poses.length)
            .filter(i -> weights[i] >= negligible / poses.length)
            .mapToObj(i -> Box.of(poses[i]))
            .distinct()
            .count();
  }

  static double weight(List<Integer> members, double[] weights) {
    double weight = 0;
    for (int i : members) {
      weight += weights[i];
    }
    return weight;
  }

  private static List<Integer> newBox(Box box, List<Box> inOrder) {
    inOrder.add(box);
    return new ArrayList<>();
  }

  /**
   * Removes from {@code boxes} all that are connected with {@code first} by touching boxes; returns
   * their particles.
   */
  private static List<Integer> connected(Box first, Map<Box, List<Integer>> boxes) {
    List<Integer> members = new ArrayList<>();
    Deque<Box> next = new ArrayDeque<>();
    next.add(first);
    while (!next.isEmpty()) {
      Box box = next.poll();
      List<Integer> inside = boxes.remove(box);
      if (inside != null) {
        members.addAll(inside);
        next.addAll(box.around());
      }
    }
    return members;
  }

  private static ParticleCluster of(Pose[] poses, double[] weights, List<Integer> members) {
    Pose first = poses[members.get(0)];
    double weight = 0;
    double x = 0;
    double y = 0;
    double theta = 0;
    double xx = 0;
    double xy = 0;
    double xt = 0;
    double yy = 0;
    double yt = 0;
    double tt = 0;
    for (int i : members) {
      double dx = poses[i].x() - first.x();
      double dy = poses[i].y() - first.y();
      double turn = Pose.wrap(poses[i].theta() - first.theta());
      weight += weights[i];
      x += weights[i] * dx;
      y += weights[i] * dy;
      theta += weights[i] * turn;
      xx += weights[i] * dx * dx;
      xy += weights[i] * dx * dy;
      xt += weights[i] * dx * turn;
      yy += weights[i] * dy * dy;
      yt += weights[i] * dy * turn;
      tt += weights[i] * turn * turn;
    }
    if (weight == 0) { // Underflow: their relative weights are lost.
      return new ParticleCluster(0, first, SymmetricMatrix3.ZERO);
    }
    double meanX = x / weight;
    double meanY = y / weight;
    double turned = theta / weight;
    return new ParticleCluster(
        weight,
        new Pose(first.x() + meanX, first.y() + meanY, Pose.wrap(first.theta() + turned)),
        new SymmetricMatrix3(
            Math.max(0, xx / weight - meanX * meanX),
            xy / weight - meanX * meanY,
            xt / weight - meanX * turned,
            Math.max(0, yy / weight - meanY * meanY),
            yt / weight - meanY * turned,
            Math.max(0, tt / weight - turned * turned)));
  }

  /** Returns the second moment of the cluster's particles about a pose. */
  SymmetricMatrix3 around(Pose pose) {
    return covariance.plus(
        SymmetricMatrix3.square(
            mean.x() - pose.x(), mean.y() - pose.y(), Pose.wrap(mean.theta() - pose.theta())));
  }

  /**
   * Returns the inverse of the cluster's covariance, with {@code metres}² and {@code radians}²
   * added to its variances.
   */
  SymmetricMatrix3 information(double metres, double radians) {
    double xx = covariance.xx() + metres * metres;
    double yy = covariance.yy() + metres * metres;
    double xy = covariance.xy();
    double determinant = xx * yy - xy * xy;
    return new SymmetricMatrix3(
        yy / determinant,
        -xy / determinant,
        0,
        xx / determinant,
        0,
        1 / (covariance.tt() + radians * radians));
  }
}
