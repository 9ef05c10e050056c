package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.FreeSpaceView;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Check of a finished path without a reference: at places to which the robot came back, what it saw
 * must not end in the free space of what it had seen there before, nor the other way round. Where
 * it does along metres of the path, the map is broken, or what stands there has moved. Single
 * contradictions are people and doors.
 *
 * @param places number of places that were seen twice, half a metre apart
 * @param contradicted number of these in stretches of which most contradict what was seen before
 */
record RevisitedPlaces(int places, int contradicted) {

  /** Distance between places along the path, metres, or more if there would be too many. */
  private static final double APART = 0.5;

  private static final int MAX_PLACES = 4000;
  private static final int MAX_BEAMS = 400;

  /** Least distance along the path between a place and an earlier visit, metres. */
  private static final double MIN_LOOP_METRES = 12;

  /** Distance to an earlier visit from which much of the same is seen, metres. */
  private static final double NEAR_METRES = 3;

  /** Metres along the path without a pose nearby that end a visit. */
  private static final double SAME_VISIT = 4;

  // The share and the numbers were found on killian, intel and aces: where their loops are closed
  // (twenty seeds, ATE of 1.1 m at most), 5 of 10 places in a row at most; where 9 m are left, 10.

  /** Share of the beams' ends that contradict, from which a place does. */
  private static final double CONTRADICTED_SHARE = 0.3;

  /** Number of places in a row that are judged together, and how many of them must contradict. */
  private static final int STRETCH = 10;

  private static final int MOST_OF_A_STRETCH = 6;

  /**
   * Checks a path.
   *
   * @param scans scans of the path that met something
   */
  static RevisitedPlaces of(List<PathPose> path, Iterator<PathScan> scans) {
    double way = 0;
    for (int i = 1; i < path.size(); i++) {
      way += path.get(i - 1).pose().distance(path.get(i).pose());
    }
    List<Pose> poses = new ArrayList<>();
    List<FreeSpaceView> views = new ArrayList<>();
    double apart = Math.max(APART, way / MAX_PLACES);
    while (scans.hasNext()) {
      PathScan next = scans.next();
      Pose pose = path.get(next.pathIndex()).pose();
      if (poses.isEmpty() || poses.get(poses.size() - 1).distance(pose) >= apart) {
        poses.add(pose);
        views.add(FreeSpaceView.of(pose, next.scan().atMost(MAX_BEAMS)));
      }
    }
    return of(poses, views);
  }

  private static RevisitedPlaces of(List<Pose> poses, List<FreeSpaceView> views) {
    double[] way = new double[poses.size()];
    for (int i = 1; i < way.length; i++) {
      way[i] = way[i - 1] + poses.get(i - 1).distance(poses.get(i));
    }
    List<Boolean> all = new ArrayList<>();
    for (int i = 0; i < way.length; i++) {
      double most = -1;
      for (int earlier : visits(poses, way, i)) {
        most = Math.max(most, views.get(i).contradicted(views.get(earlier)));
      }
      if (most >= 0) {
        all.add(most > CONTRADICTED_SHARE);
      }
    }
    return new RevisitedPlaces(all.size(), inStretches(all));
  }

  /** Returns the nearest place of each earlier visit. */
  private static List<Integer> visits(List<Pose> poses, double[] way, int place) {
    List<Integer> visits = new ArrayList<>();
    double nearest = 0;
    double latest = 0;
    for (int i = 0; way[place] - way[i] > MIN_LOOP_METRES; i++) {
      double distance = poses.get(place).distance(poses.get(i));
      if (distance < NEAR_METRES) {
        if (visits.isEmpty() || way[i] - latest >= SAME_VISIT) {
          visits.add(i);
          nearest = distance;
        } else if (distance < nearest) {
          visits.set(visits.size() - 1, i);
          nearest = distance;
        }
        latest = way[i];
      }
    }
    return visits;
  }

  private static int inStretches(List<Boolean> contradicted) {
    int count = 0;
    int counted = 0;
    for (int first = 0; first + STRETCH <= contradicted.size(); first++) {
      int end = first + STRETCH;
      long most = contradicted.subList(first, end).stream().filter(each -> each).count();
      if (most >= MOST_OF_A_STRETCH) {
        count += end - Math.max(first, counted);
        counted = end;
      }
    }
    return count;
  }
}
