package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
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
class KnownBeamSelectorTest {

  private static final double CELL = 0.05;
  private static final double METRE = TiledMap.UNITS / CELL;
  private static final double NARROW = Math.toRadians(60);

  /** Two cells: nearer to a hit is known. */
  private static final double KNOWN_METRES = 0.1;

  private static final double NEIGHBOUR_METRES = 0.2;

  /** A wall at y = 3, known from one x to another by a hit every centimetre. */
  private static TiledMap wall(double fromX, double toX) {
    TiledMap map = new TiledMap();
    int hits = (int) Math.round((toX - fromX) * 100);
    double[] x = IntStream.range(0, hits).mapToDouble(i -> METRE * (fromX + i / 100.0)).toArray();
    double[] y = DoubleStream.generate(() -> METRE * 3).limit(hits).toArray();
    matcher().updateMap(map, new Beams(hits, 1, 1, x, y), Pose.ORIGIN);
    return map;
  }

  private static ScanMatcher matcher() {
    return new ScanMatcher(Settings.defaults(MatcherSettings.class), CELL);
  }

  /** 61 beams, from x = 1.5 to x = -1.5 every 5 cm, that end so far along y. */
  private static Beams view(DoubleUnaryOperator y) {
    double[] x = IntStream.rangeClosed(0, 60).mapToDouble(i -> 1.5 - 0.05 * i).toArray();
    return new Beams(
        61,
        NARROW,
        0.5,
        DoubleStream.of(x).map(metres -> METRE * metres).toArray(),
        DoubleStream.of(x).map(y).map(metres -> METRE * metres).toArray());
  }

  /** What is left of a view from the origin. */
  private static Beams kept(TiledMap map, Beams beams) {
    RotatedBeams turned = new RotatedBeams();
    turned.turn(beams, 0);
    return KnownBeamSelector.of(map, beams, turned, 0, 0, METRE);
  }

  private static double[] metres(double[] units) {
    return DoubleStream.of(units).map(unit -> unit / METRE).toArray();
  }

  @Test
  void nothingIsLeftOutOfAViewThatShowsAKnownWall() {
    Beams beams = view(x -> 3);

    Beams kept = kept(wall(-2, 2), beams);

    assertThat(kept.x()).startsWith(beams.x()).hasSameSizeAs(beams.x());
    assertThat(kept.count()).isEqualTo(61);
  }

  @Test
  void whatAViewSeesAnewIsLeftOutWithItsNextNeighbours() {
    // Known up to x = 0, and by two cells more.
    Beams kept = kept(wall(-2, 0), view(x -> 3));

    double[] x = DoubleStream.of(metres(kept.x())).limit(kept.count()).toArray();
    double firstNew = KNOWN_METRES;
    assertThat(DoubleStream.of(x).max().orElseThrow()).isLessThan(firstNew - 0.15);
    long certainlyKnown =
        DoubleStream.of(metres(view(end -> 3).x())).filter(end -> end < -NEIGHBOUR_METRES).count();
    assertThat((long) kept.count()).isBetween(certainlyKnown, certainlyKnown + 4);
    assertThat(kept.view()).isEqualTo(NARROW);
    assertThat(kept.evidence()).isEqualTo(0.5);
  }

  @Test
  void twoBeamsInARowThatMissMayBeNoiseAndStay() {
    Beams beams = view(x -> Math.abs(x - 0.025) < 0.03 || Math.abs(x - 1) < 0.01 ? 2 : 3);

    assertThat(kept(wall(-2, 2), beams).count()).isEqualTo(61);
  }

  @Test
  void threeBeamsInARowThatMissAreSomethingNew() {
    Beams beams = view(x -> Math.abs(x) < 0.06 ? 2.9 - 1e-3 : 3);

    Beams kept = kept(wall(-2, 2), beams);

    // Beams at -0.05, 0 and 0.05; and the next three on each side, which lie within 0.2 m.
    double[] x = DoubleStream.of(metres(kept.x())).limit(kept.count()).toArray();
    assertThat(DoubleStream.of(x).map(Math::abs).min().orElseThrow()).isBetween(0.19, 0.26);
    assertThat(kept.count()).isBetween(61 - 3 - 2 * 3 - 2, 61 - 3 - 2 * 3 + 2);
  }

  @Test
  void neighboursAreNearInSpaceNotInAngle() {
    // A pillar 1 m in front of the wall: the beams beside it end on the wall, far from it.
    Beams beams = view(x -> Math.abs(x) < 0.06 ? 2 : 3);

    assertThat(kept(wall(-2, 2), beams).count()).isEqualTo(61 - 3);
  }

  @Test
  void allStayIfTooFewWouldBeLeft() {
    // Known up to x = -1.2: of 61 beams, the last 7 end there, and 4 of them next to what is new.
    Beams beams = view(x -> 3);

    assertThat(kept(wall(-2, -1.25), beams)).isSameAs(beams);
    assertThat(kept(new TiledMap(), beams)).isSameAs(beams);
  }

  private static final Pose MIDDLE = new Pose(0.1, 0.2, 0);
  private static final Room.Laser SIXTY_DEGREES = Room.Laser.ahead(61);

  /** So many walls of one length around the origin, 3 m to each corner. */
  private static Room polygon(int walls) {
    double[][] ends = new double[walls][];
    for (int i = 0; i < walls; i++) {
      double from = 0.3 + 2 * Math.PI * i / walls;
      double to = 0.3 + 2 * Math.PI * (i + 1) / walls;
      ends[i] =
          new double[] {3 * Math.cos(from), 3 * Math.sin(from), 3 * Math.cos(to), 3 * Math.sin(to)};
    }
    return new Room(ends);
  }

  private static Pose turned(double radians) {
    return MIDDLE.then(new Pose(0, 0, radians));
  }

  /** What a narrow view sees; with {@code wide} the matcher takes it for a wide one. */
  private static Beams seen(Room room, Pose from, boolean wide) {
    Beams beams = Beams.of(room.scan(from, SIXTY_DEGREES), METRE, 0.005);
    double view = wide ? Math.PI : beams.view();
    return new Beams(beams.count(), view, beams.evidence(), beams.x(), beams.y());
  }

  /** A prior as odometry gives it after a turn: a fifth of the turn, a tenth of a metre per rad. */
  private static Prior prior(Pose mean, double turn) {
    double metres = 0.007 + 0.1 * Math.abs(turn);
    double radians = 0.01 + 0.2 * Math.abs(turn);
    double place = 1 / (metres * metres);
    return new Prior(mean, new SymmetricMatrix3(place, 0, 0, place, 0, 1 / (radians * radians)));
  }

  /** How far matches are turned back after a turn that odometry knew exactly: mean, radians. */
  private static double draggedBack(double turn, boolean wide) {
    Room room = polygon(4);
    ScanMatcher matcher = matcher();
    int headings = 12;
    double sum = 0;
    for (int i = 0; i < headings; i++) {
      double before = 2 * Math.PI * i / headings;
      TiledMap map = new TiledMap();
      for (double known = -0.03; known < 0.001; known += 0.01) {
        Pose from = turned(before + known * Math.signum(turn));
        matcher.updateMap(map, seen(room, from, wide), from);
      }
      Pose truth = turned(before + turn);
      Match match = matcher.match(map, seen(room, truth, wide), prior(truth, turn));
      sum += Pose.wrap(truth.theta() - match.pose().theta()) * Math.signum(turn);
    }
    return sum / headings;
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.5, 0.5})
  void aNarrowViewOfHalfNewWallsIsNotTurnedBackToTheKnownOnes(double turn) {
    double narrow = draggedBack(turn, false);

    assertThat(Math.abs(narrow)).isLessThan(0.01);
    // All beams together would be dragged: nothing but the new ones gains by turning.
    assertThat(draggedBack(turn, true)).isGreaterThan(0.015);
  }

  /** How far behind a full turn ends if each scan is matched to those before it: radians. */
  private static double lostInAFullTurn(double step, boolean wide) {
    Room room = polygon(8);
    ScanMatcher matcher = matcher();
    TiledMap map = new TiledMap();
    Pose found = MIDDLE;
    matcher.updateMap(map, seen(room, MIDDLE, wide), MIDDLE);
    double turn = 0;
    while (Math.abs(turn) < 6) {
      turn += step;
      Beams beams = seen(room, turned(turn), wide);
      Pose expected = found.then(new Pose(0, 0, step));
      found = matcher.match(map, beams, prior(expected, step)).pose();
      matcher.updateMap(map, beams, found);
    }
    return Pose.wrap(turn - found.theta()) * Math.signum(step);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.2})
  void aFullTurnOnTheSpotLosesNoMoreThanACoupleOfDegrees(double step) {
    assertThat(lostInAFullTurn(step, false)).isBetween(-0.035, 0.035);
    assertThat(lostInAFullTurn(step, true)).isGreaterThan(0.1);
  }
}
