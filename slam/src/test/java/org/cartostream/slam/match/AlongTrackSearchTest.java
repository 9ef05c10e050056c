package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class AlongTrackSearchTest {

  private static final double CELL = 0.05;
  private static final double STEP = 0.1;
  private static final double REACH = 0.45;
  private static final double DIRECTION = 0.5;
  private static final SymmetricMatrix3 LOOSE = new SymmetricMatrix3(25, 0, 0, 25, 0, 100);

  private final ScanMatcher matcher =
      new ScanMatcher(Settings.defaults(MatcherSettings.class), CELL);
  private final AlongTrackSearch search = new AlongTrackSearch(matcher, STEP);
  private final Room room = Room.askew();
  private final Pose truth = new Pose(0.2, -0.1, 0.3);
  private final TiledMap map = new TiledMap();
  private final Beams beams = seenFromTruth();

  private Beams seenFromTruth() {
    Beams seen = Beams.of(room.scan(truth, Room.Laser.FULL_TURN), TiledMap.UNITS / CELL, 0.005);
    matcher.updateMap(map, seen, truth);
    return seen;
  }

  /** The truth, so far along the line. */
  private Pose off(double metres) {
    return new Pose(
        truth.x() + metres * Math.cos(DIRECTION),
        truth.y() + metres * Math.sin(DIRECTION),
        truth.theta());
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.4, -0.33, -0.2, 0.15, 0.27, 0.4})
  void whereTheScanFitsIsFoundWithinAStepThoughTheClimbEndedElsewhere(double metres) {
    Pose stuck = off(metres);

    assertThat(search.peak(map, beams, new Prior(stuck, LOOSE), stuck, DIRECTION, REACH))
        .hasValueSatisfying(
            pose -> {
              assertThat(pose.distance(truth)).isLessThan(STEP);
              assertThat(pose.theta()).isCloseTo(truth.theta(), within(1e-9));
            });
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.33, -0.2, 0, 0.1})
  void whatTheClimbHasReachedIsNotFoundAgain(double metres) {
    Prior prior = new Prior(off(metres), LOOSE);

    assertThat(search.peak(map, beams, prior, truth, DIRECTION, REACH)).isEmpty();
  }

  @Test
  void besideWhatTheClimbHasReachedALowPeakIsFound() {
    Prior prior = new Prior(off(0.3), LOOSE);

    // Scores from -0.1 to 0.7 m, rounded: 531 678 531 259 132 9 7 11 11.
    assertThat(search.peak(map, beams, prior, truth, DIRECTION, REACH))
        .hasValueSatisfying(pose -> assertThat(pose.distance(truth)).isCloseTo(0.7, within(1e-9)));
  }

  @Test
  void nothingIsTriedIfNothingIsInReach() {
    Pose stuck = off(0.4);

    assertThat(search.peak(map, beams, new Prior(stuck, LOOSE), stuck, DIRECTION, 0.09)).isEmpty();
  }
}
