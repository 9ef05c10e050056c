package org.cartostream.slam.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ProposalTest {

  private static final FilterSettings SETTINGS = Settings.build(FilterSettings.class, Map.of());

  /** Too far for a climb. */
  private static final Pose TRUTH = new Pose(0.8, 0.3, 0.4);

  private static final MotionModel LOOSE = new MotionModel(1, 1, 1);
  private static final MotionModel STRICT = new MotionModel(0.025, 0.025, 0.025);

  private final ScanMatcher matcher = new ScanMatcher(SETTINGS.matcher(), SETTINGS.cellMetres());

  private Proposal.Drawn draw(Pose start, MotionModel error) {
    TiledMap map = new TiledMap();
    matcher.updateMap(map, beams(scan(Pose.ORIGIN)), Pose.ORIGIN);
    Scan scan = scan(TRUTH);
    Step step =
        new Step(2, 0, true, false, false, false, Pose.ORIGIN, start, Pose.ORIGIN, 0, scan, null);
    return new Proposal(SETTINGS, matcher)
        .draw(map, beams(scan), Pose.ORIGIN, step, error, new ParticleRandom(1, "r2d2", 2, 0));
  }

  private static Scan scan(Pose from) {
    return Room.askew().scan(from, Room.Laser.FULL_TURN);
  }

  private static Beams beams(Scan scan) {
    return Beams.of(scan, TiledMap.UNITS / SETTINGS.cellMetres(), SETTINGS.independentRadians());
  }

  /** Odometry says that the robot has not moved, and it has. */
  @Test
  void aClimbFromOdometrysWordDoesNotFindIt() {
    assertThat(draw(Pose.ORIGIN, LOOSE).pose().distance(TRUTH)).isGreaterThan(0.2);
  }

  @Test
  void aStepMayStartElsewhere() {
    assertThat(draw(TRUTH, LOOSE).pose().distance(TRUTH)).isLessThan(0.05);
  }

  /** Its error bounds how far the laser may lead. */
  @Test
  void butNotWhereOdometryCannotBe() {
    assertThat(draw(TRUTH, STRICT).pose().distance(Pose.ORIGIN)).isLessThan(0.2);
  }

  /**
   * The product of two Gaussians in closed form, by the curvature that a matcher of its own has.
   */
  @Test
  void posesAreDrawnFromWhatScanAndOdometrySayTogether() {
    TiledMap map = new TiledMap();
    matcher.updateMap(map, beams(scan(Pose.ORIGIN)), Pose.ORIGIN);
    Scan scan = scan(new Pose(0.2, 0, 0));
    Beams beams = beams(scan);
    Pose odometry = new Pose(0.23, -0.02, 0.02);
    MotionModel error = new MotionModel(0.01, 0.02, 0.015);
    Step step =
        new Step(2, 0, true, false, false, false, odometry, odometry, Pose.ORIGIN, 0, scan, null);
    Proposal proposal = new Proposal(SETTINGS, matcher);
    int count = 4_000;
    double[] sums = new double[3];
    double[][] products = new double[3][3];
    for (int i = 0; i < count; i++) {
      ParticleRandom particleRandom = new ParticleRandom(1, "r2d2", 2, i);
      Proposal.Drawn drawn = proposal.draw(map, beams, Pose.ORIGIN, step, error, particleRandom);
      double[] pose = {drawn.pose().x(), drawn.pose().y(), drawn.pose().theta()};
      for (int row = 0; row < 3; row++) {
        sums[row] += pose[row];
        for (int column = 0; column < 3; column++) {
          products[row][column] += pose[row] * pose[column];
        }
      }
      if (i < 100) {
        ScanMatcher other = new ScanMatcher(SETTINGS.matcher(), SETTINGS.cellMetres());
        assertThat(drawn.logLikelihood())
            .as("at the pose that was drawn")
            .isEqualTo(other.logLikelihood(map, beams, drawn.pose()));
      }
    }

    SymmetricMatrix3
        byOdometry = // Of a robot that looked along x: 1 / 0.01², 1 / 0.02², 1 / 0.015².
        new SymmetricMatrix3(10_000, 0, 0, 2_500, 0, 4_444.4444444444445);
    Match match = matcher.match(map, beams, new Prior(odometry, byOdometry));
    double[][] covariance = inverse(match.curvature().plus(byOdometry));
    double[] pull =
        byOdometry.times(
            odometry.x() - match.pose().x(),
            odometry.y() - match.pose().y(),
            odometry.theta() - match.pose().theta());
    double[] matched = {match.pose().x(), match.pose().y(), match.pose().theta()};
    for (int row = 0; row < 3; row++) {
      double mean = matched[row];
      for (int column = 0; column < 3; column++) {
        mean += covariance[row][column] * pull[column];
        double drawn = products[row][column] / count - sums[row] / count * (sums[column] / count);
        double scale = Math.sqrt(covariance[row][row] * covariance[column][column]);
        assertThat(drawn).isCloseTo(covariance[row][column], within(0.08 * scale));
      }
      double standardError = Math.sqrt(covariance[row][row] / count);
      assertThat(sums[row] / count).isCloseTo(mean, within(4 * standardError));
    }
    assertThat(matched[0] - sums[0] / count)
        .as("odometry draws it so far from the match that the test would miss a pull left out")
        .isLessThan(-12 * Math.sqrt(covariance[0][0] / count));
  }

  @Test
  void whereTheScanTellsNothingPosesAreDrawnFromNearOdometrysWord() {
    Pose odometry = new Pose(20, 3, 0.3);
    MotionModel error = new MotionModel(0.5, 0.3, 1.2);
    Scan scan = scan(Pose.ORIGIN);
    Step step =
        new Step(2, 0, true, false, false, false, odometry, odometry, Pose.ORIGIN, 0, scan, null);
    Proposal proposal = new Proposal(SETTINGS, matcher);
    double[] squares = new double[3];
    int count = 2_000;
    for (int i = 0; i < count; i++) {
      Pose drawn =
          proposal
              .draw(
                  new TiledMap(),
                  beams(scan),
                  Pose.ORIGIN,
                  step,
                  error,
                  new ParticleRandom(1, "r2d2", 2, i))
              .pose();
      squares[0] += Math.pow(drawn.x() - 20, 2) / count;
      squares[1] += Math.pow(drawn.y() - 3, 2) / count;
      squares[2] += Math.pow(drawn.theta() - 0.3, 2) / count;
    }

    assertThat(Math.sqrt(squares[0])).isCloseTo(0.05, within(0.003));
    assertThat(Math.sqrt(squares[1])).isCloseTo(0.03, within(0.002));
    assertThat(Math.sqrt(squares[2])).isCloseTo(0.12, within(0.007));
  }

  /** By cofactors. */
  private static double[][] inverse(SymmetricMatrix3 m) {
    double[][] a = {{m.xx(), m.xy(), m.xt()}, {m.xy(), m.yy(), m.yt()}, {m.xt(), m.yt(), m.tt()}};
    double[][] result = new double[3][3];
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 3; column++) {
        int r = (row + 1) % 3;
        int s = (row + 2) % 3;
        int c = (column + 1) % 3;
        int d = (column + 2) % 3;
        result[column][row] = (a[r][c] * a[s][d] - a[r][d] * a[s][c]) / m.determinant();
      }
    }
    return result;
  }
}
