package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class LocalMapTest {

  private static final double CELL = 0.05;
  private static final double DEGREE = Math.PI / 180;
  private static final MatcherSettings SETTINGS = Settings.defaults(MatcherSettings.class);
  private static final double CONTRADICTION = Math.log(SETTINGS.zRand());

  /** Beams at the ends of a view have one neighbour only: up to so many go uncompared. */
  private static final double EDGES = 4.0 / 720;

  private static LocalMap spanning(int keyFrames) {
    return new LocalMap(keyFrames, SETTINGS, CELL);
  }

  private static Beams beams(Scan scan) {
    return Beams.of(scan, TiledMap.UNITS / CELL, 0.005);
  }

  private static void add(LocalMap localMap, Pose pose, Scan scan) {
    localMap.add(pose, scan, beams(scan));
  }

  private static ScanConsistency consistency(LocalMap localMap, Pose pose, Scan scan) {
    return localMap.consistency(pose, scan, beams(scan));
  }

  private static Scan fullTurn(float[] ranges) {
    return new Scan(Pose.ORIGIN, -Math.PI, DEGREE, 0.01, 30, ranges);
  }

  /** In the middle of a round room: so far to all sides, except to a quarter of them. */
  private static Scan round(float metres, float metresOfAQuarter) {
    float[] ranges = new float[360];
    Arrays.fill(ranges, metres);
    Arrays.fill(ranges, 100, 190, metresOfAQuarter);
    return fullTurn(ranges);
  }

  private static Scan round(float metres) {
    return round(metres, metres);
  }

  @Test
  void aScanAtItsTruePoseIsNotContradicted() {
    LocalMap localMap = spanning(8);
    Room room = Room.askew();
    for (double x = -0.5; x < 0.5; x += 0.1) {
      Pose pose = new Pose(x, x / 2, x);
      add(localMap, pose, room.scan(pose, Room.Laser.FULL_TURN));
    }
    Pose truth = new Pose(0.55, 0.25, 0.6);
    Scan scan = room.scan(truth, Room.Laser.FULL_TURN);

    ScanConsistency there = consistency(localMap, truth, scan);
    ScanConsistency beside = consistency(localMap, new Pose(0.15, 0.25, 0.6), scan);

    assertThat(there.logLikelihood()).isBetween(-0.1, 0.0);
    assertThat(there.contradicted()).isLessThan(0.01);
    assertThat(there.unseen()).isLessThan(0.05);
    assertThat(beside.contradicted()).isGreaterThan(0.1);
    assertThat(beside.logLikelihood()).isLessThan(there.logLikelihood() - 0.3);
  }

  @Test
  void beamsThatEndWhereItWasFreeContradict() {
    LocalMap localMap = spanning(4);
    add(localMap, Pose.ORIGIN, round(4));

    ScanConsistency consistency = consistency(localMap, Pose.ORIGIN, round(4, 2));

    // 90 of 360 beams; and the 360 of the key frame are compared, too, and find nothing wrong.
    assertThat(consistency.contradicted()).isCloseTo(90.0 / 720, within(EDGES));
    assertThat(consistency.logLikelihood())
        .isCloseTo(90.0 / 720 * CONTRADICTION, within(EDGES * -CONTRADICTION));
    assertThat(consistency.unseen()).isZero();
  }

  @Test
  void beamsThatSeeThroughAKnownWallContradict() {
    LocalMap localMap = spanning(4);
    add(localMap, Pose.ORIGIN, round(4));

    ScanConsistency consistency = consistency(localMap, Pose.ORIGIN, round(4, 6));

    // What lies behind the wall is new; it is the wall itself that should not be there.
    assertThat(consistency.contradicted()).isCloseTo(90.0 / 720, within(EDGES));
    assertThat(consistency.unseen()).isEqualTo(90.0 / 360);
    assertThat(consistency.logLikelihood())
        .isCloseTo(90.0 / 720 * (CONTRADICTION + ScanConsistency.UNSEEN), within(EDGES * 2));
  }

  @Test
  void anyOfTheLastScansMayHaveSeenThatAPlaceWasFree() {
    LocalMap localMap = spanning(4);
    Scan behind = new Scan(Pose.ORIGIN, 2, DEGREE, 0.01, 30, new float[] {3, 3, 3});
    add(localMap, Pose.ORIGIN, round(4));
    add(localMap, Pose.ORIGIN, behind);

    ScanConsistency consistency = consistency(localMap, Pose.ORIGIN, round(2));

    // All 360 contradict the first; the second's ends lie behind what is seen now.
    assertThat(consistency.contradicted()).isCloseTo(360.0 / 363, within(EDGES));
  }

  @Test
  void placesThatNobodySawSpeakNeitherForAPoseNorAgainstIt() {
    LocalMap localMap = spanning(4);
    float[] ranges = new float[21];
    Arrays.fill(ranges, 3);
    Scan narrow = new Scan(Pose.ORIGIN, -0.5, 0.05, 0.01, 30, ranges);
    add(localMap, Pose.ORIGIN, narrow);

    ScanConsistency behind = consistency(localMap, new Pose(0, 0, Math.PI), narrow);

    assertThat(behind.unseen()).isEqualTo(1);
    assertThat(behind.contradicted()).isZero();
    assertThat(behind.logLikelihood()).isCloseTo(ScanConsistency.UNSEEN, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void itKnowsTheLastPlacesUpToTwiceItsSpanAndNoneBefore(int span) {
    LocalMap localMap = spanning(span);
    Scan scan = round(2);
    for (int visited = 1; visited <= 6 * span; visited++) {
      add(localMap, new Pose(50 * visited, 0, 0), scan);

      int known = 0;
      while (known < visited
          && consistency(localMap, new Pose(50 * (visited - known), 0, 0), scan).unseen() == 0) {
        known++;
      }
      assertThat(known)
          .as("known after %d key frames", visited)
          .isBetween(Math.min(visited, span), 2 * span);
      for (int place = 1; place <= visited - known; place++) {
        assertThat(consistency(localMap, new Pose(50 * place, 0, 0), scan).unseen())
            .as("place %d after %d key frames", place, visited)
            .isEqualTo(1);
      }
    }
  }

  @Test
  void afterThreeTimesItsSpanElsewhereTheFirstPlaceIsUnknown() {
    int span = 8;
    LocalMap localMap = spanning(span);
    Room room = Room.askew();
    Scan first = room.scan(Pose.ORIGIN, Room.Laser.FULL_TURN);
    for (int i = 0; i < span; i++) {
      add(localMap, Pose.ORIGIN, first);
    }

    for (int i = 1; i <= 3 * span; i++) {
      add(localMap, new Pose(100, 0, 0.01 * i), room.scan(Pose.ORIGIN, Room.Laser.FULL_TURN));
    }

    ScanConsistency back = consistency(localMap, Pose.ORIGIN, first);
    assertThat(back.unseen()).isEqualTo(1);
    assertThat(back.contradicted()).isZero();
  }

  @Test
  void itsMapDoesNotGrowHoweverLongTheDrive() {
    int span = 3;
    LocalMap localMap = spanning(span);
    for (int visited = 0; visited < 40 * span; visited++) {
      add(localMap, new Pose(5 * visited, 0, 0), round(2));

      // A beam enters one cell at most.
      assertThat(localMap.map().occupiedCells()).isLessThanOrEqualTo(2 * span * 360);
    }
  }
}
