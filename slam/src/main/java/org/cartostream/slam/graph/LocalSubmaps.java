package org.cartostream.slam.graph;

import java.util.function.IntFunction;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;

/**
 * Submaps around the nodes of a robot's path: each is made of the scans near a node, as a map and
 * as one scan.
 *
 * @param poses the nodes' poses
 * @param beams gives the beams of each node's scan
 * @param way distance along the path from the first node to each: metres, plus radians turned
 */
record LocalSubmaps(Pose[] poses, IntFunction<Beams> beams, double[] way) {

  /** Metres along the path, both ways, that the map around a node covers. */
  private static final double MAP_WAY = 6;

  /**
   * Metres of path to either side of a node whose scans are joined into a panorama: a single scan
   * fits in too many places.
   */
  static final double PANORAMA_WAY = 1.5;

  /** Approximate number of a panorama's beams: enough to tell where it fits. */
  private static final int PANORAMA_BEAMS = 400;

  int count() {
    return poses.length;
  }

  /** A copy with the same nodes at other poses. */
  LocalSubmaps at(Pose[] others) {
    return new LocalSubmaps(others, beams, way);
  }

  /** Returns the submap around a node, in the node's frame. */
  TiledMap mapAround(int node, ScanMatcher matcher) {
    return map(node, 0, MAP_WAY, matcher);
  }

  /**
   * Returns the submap around a node without the scans of its {@link #panorama}, in the node's
   * frame.
   */
  TiledMap mapBeside(int node, ScanMatcher matcher) {
    return map(node, PANORAMA_WAY, PANORAMA_WAY + MAP_WAY, matcher);
  }

  /**
   * Returns a map of the scans between {@code beyond} and {@code upTo} metres of path from a node;
   * with {@code beyond} 0, the node's own, too.
   */
  private TiledMap map(int node, double beyond, double upTo, ScanMatcher matcher) {
    TiledMap map = new TiledMap();
    for (int i = first(node, upTo); i <= last(node, upTo); i++) {
      double apart = Math.abs(way[i] - way[node]);
      if (beyond == 0 || apart > beyond) {
        matcher.updateMap(map, beams.apply(i), poses[node].to(poses[i]));
      }
    }
    return map;
  }

  /** Returns the beams of a node and its neighbours, joined to one scan in the node's frame. */
  Beams panorama(int node, double unitsPerMetre) {
    int first = first(node, PANORAMA_WAY);
    int last = last(node, PANORAMA_WAY);
    int all = 0;
    for (int i = first; i <= last; i++) {
      all += beams.apply(i).count();
    }
    int stride = Math.max(1, all / PANORAMA_BEAMS);
    double[] x = new double[all];
    double[] y = new double[all];
    int count = 0;
    for (int i = first; i <= last; i++) {
      Pose pose = poses[node].to(poses[i]);
      double cos = StrictMath.cos(pose.theta());
      double sin = StrictMath.sin(pose.theta());
      Beams seen = beams.apply(i);
      for (int k = 0; k < seen.count(); k += stride) {
        double ahead = seen.x()[k];
        double left = seen.y()[k];
        x[count] = cos * ahead - sin * left + pose.x() * unitsPerMetre;
        y[count] = sin * ahead + cos * left + pose.y() * unitsPerMetre;
        count++;
      }
    }
    // Joined scans count about as much as one: they see the same walls.
    double scans = last - first + 1;
    double evidence = Math.min(1, beams.apply(node).evidence() * all / scans / Math.max(1, count));
    return new Beams(count, 2 * StrictMath.PI, evidence, x, y);
  }

  private int first(int node, double upTo) {
    int first = node;
    while (first > 0 && way[node] - way[first - 1] <= upTo) {
      first--;
    }
    return first;
  }

  private int last(int node, double upTo) {
    int last = node;
    while (last + 1 < way.length && way[last + 1] - way[node] <= upTo) {
      last++;
    }
    return last;
  }
}
