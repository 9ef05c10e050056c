package org.cartostream.sim.world;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * Route of a simulated robot: from the start through one stop after another, in straight lines.
 *
 * @param start pose of the base at the start, metres and radians
 * @param stops places in the order of driving
 */
public record Route(Pose start, List<Stop> stops) {

  /**
   * Place to which a robot drives in a straight line.
   *
   * @param x metres
   * @param y metres
   * @param backwards true if the robot gets there in reverse, so that it need not turn round
   */
  public record Stop(double x, double y, boolean backwards) {}

  public Route {
    stops = List.copyOf(stops);
  }

  /**
   * Returns a route through {@link World#office}: around the block, into both rooms, and around
   * again; never in reverse.
   */
  public static Route office() {
    return new Route(
        new Pose(1, 1, 0),
        new Stops()
            .to(3.8, 1)
            .to(3.8, 4)
            .to(5, 4.5)
            .to(3.8, 4)
            .to(3.8, 1)
            .to(8.3, 0.9)
            .to(11, 1)
            .to(11, 8)
            .to(8.2, 8)
            .to(8.2, 5.5)
            .to(7, 4.5)
            .to(8.2, 5.5)
            .to(8.2, 8)
            .to(4, 7.9)
            .to(1, 8)
            .to(1, 1)
            .to(11, 1)
            .to(11, 5)
            .list);
  }

  /**
   * Returns a route three times around the block of {@link World#office}, the third time in the
   * other direction. The rooms and the niche are dead ends: the robot drives in and backs out.
   */
  public static Route deadEnds() {
    return new Route(
        new Pose(1, 1, 0),
        new Stops()
            .to(3.8, 1)
            .to(3.8, 4.5)
            .backTo(3.8, 1)
            .to(8.25, 1)
            .to(8.25, -0.4)
            .backTo(8.25, 1)
            .to(11, 1)
            .to(11, 8)
            .to(8.2, 8)
            .to(8.2, 4.5)
            .backTo(8.2, 8)
            .to(1, 8)
            .to(1, 1)
            .to(3.8, 1)
            .to(3.8, 5)
            .backTo(3.8, 1)
            .to(11, 1)
            .to(11, 8)
            .to(8.2, 8)
            .to(8.2, 4)
            .backTo(8.2, 8)
            .to(1, 8)
            .to(1, 1)
            .backTo(1, 8)
            .to(8.2, 8)
            .to(8.2, 5)
            .backTo(8.2, 8)
            .to(11, 8)
            .to(11, 1)
            .to(3.8, 1)
            .to(3.8, 5)
            .backTo(3.8, 1)
            .to(1, 1)
            .to(1, 8)
            .to(5, 7.9)
            .list);
  }

  /** Builder of a list of stops. */
  private static final class Stops {
    private final List<Stop> list = new ArrayList<>();

    private Stops to(double x, double y) {
      list.add(new Stop(x, y, false));
      return this;
    }

    private Stops backTo(double x, double y) {
      list.add(new Stop(x, y, true));
      return this;
    }
  }
}
