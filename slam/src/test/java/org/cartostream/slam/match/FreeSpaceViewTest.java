package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.FreeSpaceView.SpaceState;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** All distances in metres; a wall at range r makes what is nearer than r - 0.1 - r/100 free. */
@Quick
class FreeSpaceViewTest {

  private static final double DEGREE = Math.PI / 180;
  private static final float INF = Float.POSITIVE_INFINITY;

  private static Scan scan(Pose mount, double startAngle, double angleStep, float... ranges) {
    return new Scan(mount, startAngle, angleStep, 0.05, 20, ranges);
  }

  private static float[] all(int beams, float range) {
    float[] ranges = new float[beams];
    Arrays.fill(ranges, range);
    return ranges;
  }

  /** What the scan says of a place, seen from the laser: so far, in this direction. */
  private static SpaceState at(FreeSpaceView freeSpaceView, double metres, double direction) {
    Pose place = freeSpaceView.laser().then(new Pose(0, 0, direction)).then(new Pose(metres, 0, 0));
    return freeSpaceView.at(place.x(), place.y());
  }

  @Test
  void placesBeforeAWallAreFreeAndThoseAtItOrBehindAreNot() {
    FreeSpaceView ahead = FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, -0.5, 0.1, all(11, 5)));

    assertThat(ahead.at(1, 0.02)).isEqualTo(SpaceState.FREE);
    assertThat(ahead.at(4.84, 0.02)).isEqualTo(SpaceState.FREE);
    assertThat(ahead.at(4.86, 0.02)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(ahead.at(5, 0.02)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(ahead.at(7, 0.02)).isEqualTo(SpaceState.NOT_FREE);
  }

  @Test
  void placesBesideAndBehindTheViewAreUnknown() {
    FreeSpaceView ahead = FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, -0.5, 0.1, all(11, 5)));

    assertThat(at(ahead, 1, 0.49)).isEqualTo(SpaceState.FREE);
    assertThat(at(ahead, 1, -0.49)).isEqualTo(SpaceState.FREE);
    assertThat(at(ahead, 1, 0.51)).isEqualTo(SpaceState.UNKNOWN);
    assertThat(at(ahead, 1, -0.51)).isEqualTo(SpaceState.UNKNOWN);
    assertThat(ahead.at(-1, 0)).isEqualTo(SpaceState.UNKNOWN);
  }

  @Test
  void aLaserMountedBackwardsLooksBehindTheRobot() {
    // The robot stands at (1, 2) and looks along y; its laser sits 0.5 m behind, at (1, 1.5).
    Scan scan = scan(new Pose(-0.5, 0, Math.PI), -0.5, 0.1, all(11, 3));
    FreeSpaceView behind = FreeSpaceView.of(new Pose(1, 2, Math.PI / 2), scan);

    assertThat(behind.at(1.01, 1)).isEqualTo(SpaceState.FREE);
    assertThat(behind.at(1.01, 1.5 - 2.86)).isEqualTo(SpaceState.FREE);
    assertThat(behind.at(1.01, 1.5 - 2.88)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(behind.at(1.01, 1.75)).isEqualTo(SpaceState.UNKNOWN);
    assertThat(behind.at(1.01, 3)).isEqualTo(SpaceState.UNKNOWN);
  }

  @Test
  void aLaserThatTurnsClockwiseCountsItsBeamsFromTheLeft() {
    // 2 m to the left, 4 m ahead, 6 m to the right.
    Scan scan = scan(Pose.ORIGIN, 1, -0.5, 2, 2, 4, 6, 6);
    FreeSpaceView clockwise = FreeSpaceView.of(Pose.ORIGIN, scan);

    assertThat(at(clockwise, 1.8, 0.75)).isEqualTo(SpaceState.FREE);
    assertThat(at(clockwise, 3, 0.75)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(at(clockwise, 3, -0.25)).isEqualTo(SpaceState.FREE);
    assertThat(at(clockwise, 5, -0.25)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(at(clockwise, 5, -0.75)).isEqualTo(SpaceState.FREE);
    assertThat(at(clockwise, 1, 1.01)).isEqualTo(SpaceState.UNKNOWN);
    assertThat(at(clockwise, 1, -1.01)).isEqualTo(SpaceState.UNKNOWN);
  }

  @Test
  void aViewToOneSideReachesPastTheWrap() {
    // From straight ahead over the left and the back to the right: 0 to 270 degrees.
    Scan scan = scan(Pose.ORIGIN, 0, DEGREE, all(271, 5));
    FreeSpaceView freeSpaceView = FreeSpaceView.of(new Pose(3, 4, 2.5), scan);

    for (double seen = 0.5; seen < 270; seen++) {
      assertThat(at(freeSpaceView, 4, seen * DEGREE))
          .as("%s degrees", seen)
          .isEqualTo(SpaceState.FREE);
    }
    for (double unseen = 270.5; unseen < 360; unseen++) {
      assertThat(at(freeSpaceView, 4, unseen * DEGREE))
          .as("%s degrees", unseen)
          .isEqualTo(SpaceState.UNKNOWN);
    }
  }

  @Test
  void aFullTurnKnowsAllAroundButBetweenItsLastBeamAndItsFirst() {
    FreeSpaceView turn =
        FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, -Math.PI, DEGREE, all(360, 5)));
    FreeSpaceView clockwise =
        FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, 1, -DEGREE, all(360, 5)));

    for (double degrees = -179.5; degrees < 179; degrees++) {
      assertThat(at(turn, 4, degrees * DEGREE))
          .as("%s degrees", degrees)
          .isEqualTo(SpaceState.FREE);
    }
    assertThat(at(turn, 4, 179.5 * DEGREE)).isEqualTo(SpaceState.UNKNOWN);
    for (double degrees = 0.5; degrees < 359; degrees++) {
      assertThat(at(clockwise, 4, 1 - degrees * DEGREE))
          .as("%s degrees", degrees)
          .isEqualTo(SpaceState.FREE);
    }
    assertThat(at(clockwise, 4, 1 + 0.5 * DEGREE)).isEqualTo(SpaceState.UNKNOWN);
  }

  @Test
  void aSingleBeamKnowsNothing() {
    FreeSpaceView single = FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, 0, DEGREE, 5));

    assertThat(single.at(1, 0)).isEqualTo(SpaceState.UNKNOWN);
    assertThat(single.at(1, 0.001)).isEqualTo(SpaceState.UNKNOWN);
    assertThat(single.at(-1, 0)).isEqualTo(SpaceState.UNKNOWN);
  }

  @Test
  void nothingIsKnownBesideABeamThatMetNothing() {
    for (float nothing : new float[] {INF, -INF, Float.NaN, 20, 0.04f}) {
      FreeSpaceView freeSpaceView =
          FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, 0, 0.1, 5, 5, nothing, 5, 5));

      assertThat(at(freeSpaceView, 1, 0.05)).as("range %s", nothing).isEqualTo(SpaceState.FREE);
      assertThat(at(freeSpaceView, 1, 0.15)).as("range %s", nothing).isEqualTo(SpaceState.UNKNOWN);
      assertThat(at(freeSpaceView, 1, 0.25)).as("range %s", nothing).isEqualTo(SpaceState.UNKNOWN);
      assertThat(at(freeSpaceView, 1, 0.35)).as("range %s", nothing).isEqualTo(SpaceState.FREE);
    }
  }

  @Test
  void theShorterOfTwoBeamsDecidesBetweenThem() {
    FreeSpaceView freeSpaceView = FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, 0, 0.2, 2, 6));

    // However near to the longer one.
    assertThat(at(freeSpaceView, 1.87, 0.19)).isEqualTo(SpaceState.FREE);
    assertThat(at(freeSpaceView, 1.89, 0.19)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(at(freeSpaceView, 5, 0.19)).isEqualTo(SpaceState.NOT_FREE);
  }

  @Test
  void aPlaceExactlyAtTheMarginIsNotFree() {
    // 10 - 0.1 - 0.1 = 9.8, straight along an axis, where nothing is rounded.
    FreeSpaceView freeSpaceView =
        FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, -0.15, 0.1, all(4, 10)));

    assertThat(freeSpaceView.at(9.8, 0)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(freeSpaceView.at(9.8 - 1e-9, 0)).isEqualTo(SpaceState.FREE);
  }

  @Test
  void aWallWithinTheMarginLeavesNothingFreeNotEvenTheLasersOwnPlace() {
    FreeSpaceView tight =
        FreeSpaceView.of(Pose.ORIGIN, scan(Pose.ORIGIN, -0.15, 0.1, all(4, 0.1f)));

    assertThat(tight.at(0, 0)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(tight.at(0.0005, 0)).isEqualTo(SpaceState.NOT_FREE);
    assertThat(tight.at(0.05, 0)).isEqualTo(SpaceState.NOT_FREE);
  }

  /** Five metres by four, its middle at the origin: convex, so that all of it is seen. */
  private static final Room HALL =
      new Room(
          new double[][] {
            {-2.5, -2, 2.5, -2}, {2.5, -2, 2.5, 2}, {2.5, 2, -2.5, 2}, {-2.5, 2, -2.5, -2}
          });

  /** Two beams a degree apart differ by up to 0.1 m in clearance; the margin is 0.16 m at most. */
  private static final double WELL_INSIDE = 0.3;

  @Property(tries = 100)
  void inAConvexRoomAllPlacesWellInsideAreFreeAndNoneOutside(
      @ForAll @DoubleRange(min = -2, max = 2) double x,
      @ForAll @DoubleRange(min = -1.5, max = 1.5) double y,
      @ForAll @DoubleRange(min = -3, max = 3) double heading) {
    double step = DEGREE;
    Room.Laser laser = new Room.Laser(new Pose(0.1, 0, 1), 0.3, -step, 361);
    Pose robot = new Pose(x, y, heading);
    FreeSpaceView freeSpaceView = FreeSpaceView.of(robot, HALL.scan(robot, laser));

    for (double placeX = -4.03; placeX < 4; placeX += 0.37) {
      for (double placeY = -3.03; placeY < 3; placeY += 0.29) {
        double inside = Math.min(2.5 - Math.abs(placeX), 2 - Math.abs(placeY));
        SpaceState spaceState = freeSpaceView.at(placeX, placeY);
        if (inside > WELL_INSIDE) {
          assertThat(spaceState).as("(%s, %s)", placeX, placeY).isEqualTo(SpaceState.FREE);
        } else if (inside < 0) {
          assertThat(spaceState).as("(%s, %s)", placeX, placeY).isEqualTo(SpaceState.NOT_FREE);
        }
      }
    }
  }
}
