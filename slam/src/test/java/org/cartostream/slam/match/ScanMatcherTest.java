package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ScanMatcherTest {

  private static final double CELL = 0.05;
  private static final double INDEPENDENT = Math.PI / 180;
  private static final MatcherSettings SETTINGS = Settings.defaults(MatcherSettings.class);
  private static final SymmetricMatrix3 VAGUE = new SymmetricMatrix3(1, 0, 0, 1, 0, 1);

  /** A full turn in a rectangular room of 6 × 4 m whose lower left corner is (-2, -1). */
  private static Scan room(Pose from) {
    float[] ranges = new float[360];
    for (int i = 0; i < ranges.length; i++) {
      double beam = from.theta() - Math.PI + i * Math.PI / 180;
      double toX = ((Math.cos(beam) > 0 ? 4 : -2) - from.x()) / Math.cos(beam);
      double toY = ((Math.sin(beam) > 0 ? 3 : -1) - from.y()) / Math.sin(beam);
      ranges[i] = (float) Math.min(toX, toY);
    }
    return new Scan(Pose.ORIGIN, -Math.PI, Math.PI / 180, 0.01, 30, ranges);
  }

  private static Beams beams(Scan scan) {
    return Beams.of(scan, TiledMap.UNITS / CELL, INDEPENDENT);
  }

  private static TiledMap mapped(ScanMatcher matcher) {
    TiledMap map = new TiledMap();
    // Several views, so that the walls are dense.
    for (double x = -0.2; x <= 0.2; x += 0.1) {
      Pose pose = new Pose(x, x / 2, x);
      matcher.updateMap(map, beams(room(pose)), pose);
    }
    return map;
  }

  @Property(tries = 50)
  void findsTheTruePoseFromNearby(
      @ForAll @DoubleRange(min = -0.15, max = 0.15) double dx,
      @ForAll @DoubleRange(min = -0.15, max = 0.15) double dy,
      @ForAll @DoubleRange(min = -0.08, max = 0.08) double turn) {
    ScanMatcher matcher = new ScanMatcher(SETTINGS, CELL);
    Pose truth = new Pose(0.31, 0.17, 0.4);
    Pose guess = new Pose(0.31 + dx, 0.17 + dy, 0.4 + turn);

    Match match = matcher.match(mapped(matcher), beams(room(truth)), new Prior(guess, VAGUE));

    assertThat(match.pose().distance(truth)).isLessThan(0.02);
    assertThat(match.pose().theta()).isCloseTo(0.4, within(0.01));
  }

  /** Too far for a climb: it ends elsewhere. */
  @Test
  void startsFromTheBetterOfTwo() {
    ScanMatcher matcher = new ScanMatcher(SETTINGS, CELL);
    TiledMap map = mapped(matcher);
    Pose truth = new Pose(0.31, 0.17, 0.4);
    Pose far = new Pose(1.4, -0.3, 0.1);
    Prior atTruth = new Prior(truth, VAGUE);
    Prior astray = new Prior(far, VAGUE);
    Beams seen = beams(room(truth));

    Match alone = matcher.match(map, seen, astray);
    Match helped = matcher.matchFromEither(map, seen, astray, truth);
    Match unhelped = matcher.matchFromEither(map, seen, atTruth, far);

    assertThat(alone.pose().distance(truth)).isGreaterThan(0.3);
    assertThat(helped.pose().distance(truth)).isLessThan(0.02);
    assertThat(unhelped.pose()).isEqualTo(matcher.match(map, seen, atTruth).pose());
  }

  @Test
  void stopsWhenTheEvaluationsAreUsedUp() {
    MatcherSettings few = Settings.build(MatcherSettings.class, Map.of("maxEvaluations", "20"));
    ScanMatcher matcher = new ScanMatcher(few, CELL);
    Prior prior = new Prior(new Pose(0.3, 0.3, 0.1), VAGUE);

    Match match = matcher.match(mapped(matcher), beams(room(Pose.ORIGIN)), prior);

    // At most one round of six beyond the limit, and nineteen for the curvature.
    assertThat(match.evaluations()).isBetween(20, 20 + 6 + 19);
  }

  @Test
  void curvatureIsANumberThoughItsStepIsFarBelowACell() {
    MatcherSettings fine =
        Settings.build(MatcherSettings.class, Map.of("curvatureMetres", "0.001"));
    ScanMatcher matcher = new ScanMatcher(fine, 1);
    TiledMap map = new TiledMap();
    Beams beams = Beams.of(room(Pose.ORIGIN), TiledMap.UNITS, INDEPENDENT);
    matcher.updateMap(map, beams, Pose.ORIGIN);

    SymmetricMatrix3 curvature =
        matcher.match(map, beams, new Prior(Pose.ORIGIN, VAGUE)).curvature();

    assertThat(curvature.plus(VAGUE).determinant()).isFinite().isPositive();
  }

  @Test
  void scanDecidesAcrossACorridorButNotAlongIt() {
    ScanMatcher matcher = new ScanMatcher(SETTINGS, CELL);
    float[] ranges = new float[180];
    for (int i = 0; i < ranges.length; i++) {
      // Walls at y = -1 and y = 1, endless along x, seen up to 20 m.
      double sine = Math.abs(Math.sin(-Math.PI + (i + 0.5) * Math.PI / 90));
      ranges[i] = (float) (1 / sine);
    }
    Scan scan = new Scan(Pose.ORIGIN, -Math.PI + Math.PI / 180, Math.PI / 90, 0.01, 20, ranges);
    TiledMap map = new TiledMap();
    for (double x = -30; x <= 30; x += 0.04) {
      matcher.updateMap(map, beams(wallEnds(x)), Pose.ORIGIN);
    }

    Match match = matcher.match(map, beams(scan), new Prior(Pose.ORIGIN, VAGUE));

    assertThat(match.curvature().yy()).isGreaterThan(1000);
    assertThat(match.curvature().xx()).isLessThan(match.curvature().yy() / 50);
  }

  /** What a mirror shows is as sure as what it mirrors; to the left it is to the right. */
  @Property(tries = 20)
  void aMirroredScanHasTheMirroredCurvature(
      @ForAll @DoubleRange(min = -0.5, max = 0.5) double x,
      @ForAll @DoubleRange(min = -0.2, max = 0.2) double turn) {
    SymmetricMatrix3 certain = new SymmetricMatrix3(1e9, 0, 0, 1e9, 0, 1e9);
    ScanMatcher matcher = new ScanMatcher(SETTINGS, CELL);
    TiledMap map = new TiledMap();
    TiledMap mirror = new TiledMap();
    for (double way = -1; way <= 0; way += 0.25) {
      Scan scan = room(new Pose(way, way / 5, way));
      matcher.updateMap(map, beams(scan), new Pose(way, way / 5, way));
      matcher.updateMap(mirror, beams(Room.mirrored(scan)), new Pose(way, -way / 5, -way));
    }
    Scan scan = room(new Pose(x, 0.1, turn));

    SymmetricMatrix3 curvature =
        matcher.match(map, beams(scan), new Prior(new Pose(x, 0.1, turn), certain)).curvature();
    SymmetricMatrix3 mirrored =
        matcher
            .match(mirror, beams(Room.mirrored(scan)), new Prior(new Pose(x, -0.1, -turn), certain))
            .curvature();

    double xt = Math.sqrt(curvature.xx() * curvature.tt());
    double xy = Math.sqrt(curvature.xx() * curvature.yy());
    assertThat(mirrored.xt()).isCloseTo(-curvature.xt(), within(0.01 * xt));
    assertThat(mirrored.xy()).isCloseTo(-curvature.xy(), within(0.01 * xy));
  }

  /** Two beams that end on both walls at {@code x}. */
  private static Scan wallEnds(double x) {
    double angle = Math.atan2(1, x);
    float range = (float) Math.hypot(1, x);
    return new Scan(Pose.ORIGIN, -angle, 2 * angle, 0.01, 100, new float[] {range, range});
  }

  @Test
  void certainPriorKeepsThePoseWhereItIs() {
    ScanMatcher matcher = new ScanMatcher(SETTINGS, CELL);
    SymmetricMatrix3 certain = new SymmetricMatrix3(1e9, 0, 0, 1e9, 0, 1e9);
    Pose believed = new Pose(0.1, 0.1, 0.05);

    Match match =
        matcher.match(mapped(matcher), beams(room(Pose.ORIGIN)), new Prior(believed, certain));

    assertThat(match.pose().distance(believed)).isLessThan(0.001);
  }

  @Test
  void logLikelihoodIsTheSumWorkedOutByHand() {
    ScanMatcher matcher = new ScanMatcher(SETTINGS, CELL);
    TiledMap map = new TiledMap();
    // One hit in the middle of a thirty-second of a cell, 2 m ahead; then a beam 0.06 m short of
    // it.
    double step = CELL / 32;
    double hit = 2 + step / 2;
    matcher.updateMap(map, beams(ahead(hit)), new Pose(0, step / 2, 0));

    double near = matcher.logLikelihood(map, beams(ahead(hit - 0.06)), new Pose(0, step / 2, 0));
    double nowhere = matcher.logLikelihood(map, beams(ahead(9)), new Pose(0, step / 2, 0));

    double floor = SETTINGS.zRand();
    double gauss =
        Math.exp(-0.06 * 0.06 / (2 * SETTINGS.sigmaHitMetres() * SETTINGS.sigmaHitMetres()));
    assertThat(near).isCloseTo(Math.log(floor + (1 - floor) * gauss), within(0.02));
    assertThat(nowhere).isCloseTo(Math.log(floor), within(1e-4));
  }

  private static Scan ahead(double range) {
    return new Scan(Pose.ORIGIN, 0, 1, 0.01, 30, new float[] {(float) range});
  }

  @Test
  void beamsStartAtTheLaserWhereverItIsMounted() {
    // Backwards mounted, half a metre ahead of the base, turning clockwise.
    Scan scan =
        new Scan(
            new Pose(0.5, 0, Math.PI),
            Math.PI / 2,
            -Math.PI / 2,
            0.1,
            10,
            new float[] {1, 2, Float.NaN, Float.POSITIVE_INFINITY, 10, 0.05f});

    Beams beams = Beams.of(scan, 1, INDEPENDENT);

    assertThat(beams.count()).isEqualTo(2);
    assertThat(beams.x()[0]).isCloseTo(0.5, within(1e-9));
    assertThat(beams.y()[0]).isCloseTo(-1, within(1e-9));
    assertThat(beams.x()[1]).isCloseTo(-1.5, within(1e-9));
    assertThat(beams.y()[1]).isCloseTo(0, within(1e-9));
  }

  @Test
  void denseBeamsCountForLessEach() {
    float[] ranges = {1, 1};
    Scan dense = new Scan(Pose.ORIGIN, 0, INDEPENDENT / 4, 0.1, 10, ranges);
    Scan sparse = new Scan(Pose.ORIGIN, 0, -3 * INDEPENDENT, 0.1, 10, ranges);

    assertThat(beams(dense).evidence()).isCloseTo(0.25, within(1e-12));
    assertThat(beams(sparse).evidence()).isEqualTo(1);
  }
}
