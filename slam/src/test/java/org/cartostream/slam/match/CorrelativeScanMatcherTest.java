package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.ScanTileCache;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class CorrelativeScanMatcherTest {

  private static final double CELL = 0.05;
  private static final double METRES = 1.6;
  private static final double RADIANS = 0.84;

  /** Steps of the grid, and what is left for rounding. */
  private static final double STEP_METRES = 0.2;

  private static final double STEP_RADIANS = Math.toRadians(4);
  private static final double ROUNDING = 1e-9;

  private static final Room ROOM = Room.askew();
  private static final TiledMap MAP = mapped(CELL);

  private final CorrelativeScanMatcher search = new CorrelativeScanMatcher(METRES, RADIANS, CELL);

  private static Beams beams(Scan scan) {
    return Beams.of(scan, TiledMap.UNITS / CELL, 0.005);
  }

  private static Beams seenFrom(Pose pose) {
    return seenFrom(pose, CELL);
  }

  private static Beams seenFrom(Pose pose, double cell) {
    Scan scan = ROOM.scan(pose, Room.Laser.FULL_TURN);
    return Beams.of(scan, TiledMap.UNITS / cell, 0.005);
  }

  private static TiledMap mapped(double cell) {
    ScanMatcher matcher = new ScanMatcher(Settings.defaults(MatcherSettings.class), cell);
    TiledMap map = new TiledMap();
    for (double x = -1; x <= 1.01; x += 0.25) {
      Pose pose = new Pose(x, x / 2, x);
      matcher.updateMap(map, seenFrom(pose, cell), pose);
    }
    return map;
  }

  @Property(tries = 100)
  void thePoseOfADisplacedScanIsAmongTheCandidates(
      @ForAll @DoubleRange(min = 0, max = 1.5) double distance,
      @ForAll @DoubleRange(min = -3.1, max = 3.1) double direction,
      @ForAll @DoubleRange(min = -0.8, max = 0.8) double turn) {
    Pose truth = new Pose(0.2, -0.1, 0.3);
    Pose guess =
        new Pose(
            0.2 + distance * Math.cos(direction),
            -0.1 + distance * Math.sin(direction),
            0.3 + turn);

    List<Pose> found = search.candidatesAround(MAP, seenFrom(truth), guess);

    assertThat(found)
        .anySatisfy(
            pose -> {
              assertThat(pose.x()).isCloseTo(0.2, within(STEP_METRES));
              assertThat(pose.y()).isCloseTo(-0.1, within(STEP_METRES));
              assertThat(pose.theta()).isCloseTo(0.3, within(STEP_RADIANS));
            });
  }

  @Property(tries = 10)
  void noPoseOfTheGridWithItsHeadingFitsBetterThanACandidate(
      @ForAll @DoubleRange(min = -1, max = 1) double x,
      @ForAll @DoubleRange(min = -1, max = 1) double y,
      @ForAll @DoubleRange(min = -3.1, max = 3.1) double heading) {
    Pose guess = new Pose(x, y, heading);
    Beams seen = seenFrom(new Pose(0.2, -0.1, 0.3));

    for (Pose candidate : search.candidatesAround(MAP, seen, guess)) {
      double best = score(candidate, seen, guess);
      for (int right = -8; right <= 8; right++) {
        for (int up = -8; up <= 8; up++) {
          Pose other = new Pose(x + right * STEP_METRES, y + up * STEP_METRES, candidate.theta());
          assertThat(score(other, seen, guess))
              .as("%s beside %s", other, candidate)
              .isLessThanOrEqualTo(best + ROUNDING);
        }
      }
    }
  }

  /** Beams that end near hits, less what it costs to be away from the guess. */
  private static double score(Pose pose, Beams beams, Pose guess) {
    int stride = beams.count() / 45;
    double units = TiledMap.UNITS / CELL;
    int dx = (int) Math.rint((pose.x() - guess.x()) * units);
    int dy = (int) Math.rint((pose.y() - guess.y()) * units);
    double cos = Math.cos(pose.theta());
    double sin = Math.sin(pose.theta());
    int near = 0;
    int all = 0;
    for (int i = 0; i < beams.count(); i += stride) {
      double endX = cos * beams.x()[i] - sin * beams.y()[i] + guess.x() * units;
      double endY = sin * beams.x()[i] + cos * beams.y()[i] + guess.y() * units;
      int entry =
          ScanTileCache.entry(MAP, (int) Math.floor(endX) + dx, (int) Math.floor(endY) + dy);
      near += entry < TiledMap.KERNEL_ENTRIES ? 1 : 0;
      all++;
    }
    double steps = (Math.abs(dx) + Math.abs(dy)) / (STEP_METRES * units);
    return near
        - 0.002 * all * (steps + Math.abs(Pose.wrap(pose.theta() - guess.theta())) / STEP_RADIANS);
  }

  @ParameterizedTest(name = "cells of {0} m")
  @ValueSource(doubles = {0.02, 0.01, 0.005})
  void inFinerCellsTheStepsAreShorterAndTheWayBackIsAsFar(double cell) {
    TiledMap map = mapped(cell);
    CorrelativeScanMatcher fine = new CorrelativeScanMatcher(METRES, 2 * STEP_RADIANS, cell);
    Pose truth = new Pose(0.2, -0.1, 0.3);
    Beams seen = seenFrom(truth, cell);
    for (double right : new double[] {-1.5, -1.1, -0.5, 0.1, 0.7, 1.5}) {
      for (double up : new double[] {-1.5, -0.3, 0.1, 0.9}) {
        // As far off in heading as any is from the steps of the grid.
        Pose guess = new Pose(0.2 + right, -0.1 + up, 0.3 + STEP_RADIANS / 2);

        Pose best = fine.candidatesAround(map, seen, guess).get(0);

        assertThat(best.distance(truth)).as("%s from %s", best, guess).isLessThan(0.1);
        assertThat(best.theta()).isCloseTo(0.3, within(STEP_RADIANS));
      }
    }
  }

  @Property(tries = 50)
  void nothingOutsideTheWindowIsACandidate(
      @ForAll @DoubleRange(min = -6, max = 6) double x,
      @ForAll @DoubleRange(min = -6, max = 6) double y,
      @ForAll @DoubleRange(min = -3.1, max = 3.1) double heading) {
    Pose guess = new Pose(x, y, heading);

    List<Pose> found = search.candidatesAround(MAP, seenFrom(Pose.ORIGIN), guess);

    // Rounded up to whole steps: 8 of 0.2 m, 13 of 4 degrees.
    assertThat(found)
        .hasSize(6)
        .allSatisfy(
            pose -> {
              assertThat(pose.x()).isCloseTo(x, within(8 * STEP_METRES + ROUNDING));
              assertThat(pose.y()).isCloseTo(y, within(8 * STEP_METRES + ROUNDING));
              assertThat(Pose.wrap(pose.theta() - heading))
                  .isCloseTo(0, within(13 * STEP_RADIANS + ROUNDING));
            });
  }

  @Test
  void whereNothingIsKnownTheGuessComesFirstAndThenItsNextHeadings() {
    Pose guess = new Pose(0.7, -0.3, 3.1);

    List<Pose> found = search.candidatesAround(new TiledMap(), seenFrom(Pose.ORIGIN), guess);

    assertThat(found).hasSize(6).allSatisfy(pose -> assertThat(pose.distance(guess)).isZero());
    assertThat(found.stream().map(pose -> Math.abs(Pose.wrap(pose.theta() - guess.theta()))))
        .satisfiesExactly(
            turn -> assertThat(turn).isZero(),
            turn -> assertThat(turn).isCloseTo(STEP_RADIANS, within(ROUNDING)),
            turn -> assertThat(turn).isCloseTo(STEP_RADIANS, within(ROUNDING)),
            turn -> assertThat(turn).isCloseTo(2 * STEP_RADIANS, within(ROUNDING)),
            turn -> assertThat(turn).isCloseTo(2 * STEP_RADIANS, within(ROUNDING)),
            turn -> assertThat(turn).isCloseTo(3 * STEP_RADIANS, within(ROUNDING)));
    assertThat(found).allSatisfy(pose -> assertThat(pose.theta()).isBetween(-Math.PI, Math.PI));
  }

  @Test
  void alongAWallThatLooksTheSameEverywhereItStaysWhereTheGuessIs() {
    // A wall at y = 2 from -9 to 9 m; the scan sees 3 m of it. The guess is 0.8 m too far from it.
    int hits = 1800;
    double[] x = new double[hits];
    double[] y = new double[hits];
    for (int i = 0; i < hits; i++) {
      x[i] = (i / 100.0 - 9) * TiledMap.UNITS / CELL;
      y[i] = 2 * TiledMap.UNITS / CELL;
    }
    TiledMap map = new TiledMap();
    new ScanMatcher(Settings.defaults(MatcherSettings.class), CELL)
        .updateMap(map, new Beams(hits, 1, 1, x, y), Pose.ORIGIN);
    Room wall = new Room(new double[][] {{-1.5, 2, 1.5, 2}});
    Beams beams =
        beams(wall.scan(Pose.ORIGIN, new Room.Laser(new Pose(0, 0, Math.PI / 2), -0.6, 0.02, 61)));

    Pose best = search.candidatesAround(map, beams, new Pose(0.33, -0.8, 0)).get(0);

    assertThat(best.x()).isEqualTo(0.33);
    assertThat(best.y()).isCloseTo(0, within(STEP_METRES));
    assertThat(best.theta()).isZero();
  }
}
