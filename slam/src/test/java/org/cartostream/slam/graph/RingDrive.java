package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Room;

/** A drive round and round in a corridor about a block, and what a filter makes of it. */
public final class RingDrive {

  static final double SIDE = 12;
  static final double STEP = 0.1;

  /** Two metres wide, 12 m on each side by its middle; its corners differ by what stands there. */
  public static Room ring() {
    List<double[]> walls = new ArrayList<>();
    box(walls, -1, -1, SIDE + 1, SIDE + 1);
    box(walls, 1, 1, SIDE - 1, SIDE - 1);
    box(walls, -0.9, -0.9, -0.5, -0.4);
    box(walls, SIDE + 0.4, -0.9, SIDE + 0.6, -0.8);
    box(walls, SIDE + 0.2, SIDE + 0.7, SIDE + 0.9, SIDE + 0.9);
    box(walls, 4.1, -0.95, 4.7, -0.7);
    box(walls, SIDE + 0.6, 7.2, SIDE + 0.95, 7.5);
    box(walls, 2.2, SIDE + 0.5, 2.9, SIDE + 0.95);
    box(walls, -0.95, 5, -0.7, 6.3);
    return new Room(walls.toArray(new double[0][]));
  }

  private static void box(List<double[]> walls, double x0, double y0, double x1, double y1) {
    walls.add(new double[] {x0, y0, x1, y0});
    walls.add(new double[] {x1, y0, x1, y1});
    walls.add(new double[] {x1, y1, x0, y1});
    walls.add(new double[] {x0, y1, x0, y0});
  }

  /** So many rounds along the middle of the corridor, with sharp turns at its corners. */
  public static List<Pose> rounds(double rounds) {
    List<Pose> path = new ArrayList<>(List.of(Pose.ORIGIN));
    Pose pose = Pose.ORIGIN;
    int steps = (int) Math.round(rounds * 4 * SIDE / STEP);
    int side = (int) Math.round(SIDE / STEP);
    for (int i = 1; i <= steps; i++) {
      pose = pose.then(new Pose(STEP, 0, 0));
      path.add(pose);
      if (i % side == 0) {
        for (int turn = 0; turn < 5; turn++) {
          pose = pose.then(new Pose(0, 0, Math.PI / 10));
          path.add(pose);
        }
      }
    }
    return path;
  }

  /** What a filter makes of it that turns too far with each metre of the first side. */
  public static List<PosedScan> bent(List<Pose> truth, Room room, double radiansAMetre) {
    List<PosedScan> path = new ArrayList<>();
    Pose pose = truth.get(0);
    for (int i = 0; i < truth.size(); i++) {
      if (i > 0) {
        Pose motion = truth.get(i - 1).to(truth.get(i));
        double turn = i * STEP < SIDE ? radiansAMetre * Pose.ORIGIN.distance(motion) : 0;
        pose = pose.then(new Pose(motion.x(), motion.y(), motion.theta() + turn));
      }
      path.add(new PosedScan(pose, room.scan(truth.get(i), Room.Laser.ahead(181))));
    }
    return path;
  }

  private RingDrive() {}
}
