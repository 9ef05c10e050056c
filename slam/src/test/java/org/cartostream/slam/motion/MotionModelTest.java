package org.cartostream.slam.motion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.assertj.core.data.Offset;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Against numbers worked out by hand from the default settings. */
@Quick
class MotionModelTest {

  private static final FilterSettings SETTINGS = Settings.build(FilterSettings.class, Map.of());
  private static final Offset<Double> EXACT = within(1e-12);

  /** A metre before a wall that stands across the way. */
  private static final Beams WALL_AHEAD = wall(-0.5, 0);

  /** A metre beside one that goes alongside. */
  private static final Beams WALL_BESIDE = wall(-0.5 + Math.PI / 2, Math.PI / 2);

  private static Beams wall(double startAngle, double normal) {
    float[] ranges = new float[101];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = (float) (1 / Math.cos(startAngle + 0.01 * i - normal));
    }
    Scan scan = new Scan(Pose.ORIGIN, startAngle, 0.01, 0, 10, ranges);
    return Beams.of(scan, TiledMap.UNITS / SETTINGS.cellMetres(), SETTINGS.independentRadians());
  }

  private static MotionModel of(Pose motion, boolean replaced, Beams beams) {
    Scan scan = new Scan(Pose.ORIGIN, 0, 1, 0, 10, new float[1]);
    Step step =
        new Step(2, 0, true, false, replaced, replaced, motion, motion, Pose.ORIGIN, 0, scan, null);
    return MotionModel.of(SETTINGS, step, beams);
  }

  @Test
  void aStepsErrorIsGmappingsWithAFloor() {
    MotionModel error = MotionModel.of(SETTINGS.motion(), new Pose(-1, 0.5, -0.2));

    // 0.007 + 0.07 · 1 + 0.1 · 0.2 + 0.3 · 0.07 · 0.5, and with 1 and 0.5 changed about.
    assertThat(error.ahead()).isCloseTo(0.1075, EXACT);
    assertThat(error.left()).isCloseTo(0.083, EXACT);
    // 0.01 + 0.2 · 0.2 + 0.2 · √1.25
    assertThat(error.heading()).isCloseTo(0.05 + 0.2 * Math.sqrt(1.25), EXACT);
  }

  /** 8 m are four steps of 2 m, whose errors add up as their root. */
  @Test
  void ofAWayThatNobodySawTheVarianceGrowsNotTheError() {
    MotionModel step = MotionModel.of(SETTINGS.motion(), new Pose(2, 0, 0));
    MotionModel way = MotionModel.of(SETTINGS.motion(), new Pose(0, 8, 0));

    assertThat(way.left() - 0.007).isCloseTo(2 * (step.ahead() - 0.007), EXACT);
    assertThat(way.ahead() - 0.007).isCloseTo(2 * (step.left() - 0.007), EXACT);
    assertThat(way.heading() - 0.01).isCloseTo(2 * (step.heading() - 0.01), EXACT);
  }

  @Test
  void aStandingRobotMayStillHaveMoved() {
    assertThat(MotionModel.of(SETTINGS.motion(), Pose.ORIGIN))
        .isEqualTo(new MotionModel(0.007, 0.007, 0.01));
  }

  /** 0.1 m: 0.007 + 0.07 · 0.1 = 0.014, three times that 0.042, four times the floor 0.028. */
  @Test
  void aShortStepMaySlipWhereTheLaserTellsHowFarItLed() {
    Pose step = new Pose(0.1, 0, 0);

    assertThat(of(step, false, WALL_BESIDE).ahead()).isCloseTo(0.014, EXACT);
    assertThat(of(step, false, WALL_AHEAD).ahead()).isCloseTo(0.028, EXACT);
    assertThat(of(step, false, WALL_AHEAD).left()).isCloseTo(0.0091, EXACT);
    assertThat(of(Pose.ORIGIN, false, WALL_AHEAD).ahead()).as("3 · 0.007").isCloseTo(0.021, EXACT);
  }

  /** 0.007 + 0.07 · 0.4 = 0.035, more than four times the floor. */
  @Test
  void aLongStepIsAsOdometrySays() {
    assertThat(of(new Pose(0.4, 0, 0), false, WALL_AHEAD).ahead()).isCloseTo(0.035, EXACT);
  }

  @Test
  void whatTheLaserFoundIsLooserThanOdometryAtLeast() {
    MotionModel found = of(new Pose(0.1, 0, 0), true, WALL_AHEAD);
    assertThat(found).isEqualTo(new MotionModel(0.1, 0.1, 0.05));

    MotionModel far = of(new Pose(2, 0, 0), true, WALL_AHEAD);
    assertThat(far.ahead()).isCloseTo(0.147, EXACT);
    assertThat(far.left()).isCloseTo(0.1, EXACT);
    assertThat(far.heading()).isCloseTo(0.41, EXACT);
  }

  @Test
  void slippingWheelsErrOnTheWayAheadOnly() {
    assertThat(new MotionModel(0.01, 0.02, 0.03).ifWheelsSlip())
        .isEqualTo(new MotionModel(0.03, 0.02, 0.03));
  }

  @Test
  void theVarianceAlongADirectionIsThatOfTheEllipse() {
    MotionModel error = new MotionModel(0.1, 0.2, 0.3);

    assertThat(error.varianceAlong(0)).isCloseTo(0.01, EXACT);
    assertThat(error.varianceAlong(Math.PI / 2)).isCloseTo(0.04, EXACT);
    assertThat(error.varianceAlong(Math.PI / 4)).isCloseTo(0.025, EXACT);
  }

  /** Turned by 30 degrees: R diag(1 / 0.1², 1 / 0.2²) Rᵀ = (100 · ¾ + 25 · ¼, …). */
  @Test
  void informationIsSeenInTheMapsFrame() {
    SymmetricMatrix3 information = new MotionModel(0.1, 0.2, 0.5).information(Math.PI / 6);

    Offset<Double> close = within(1e-9);
    assertThat(information.xx()).isCloseTo(81.25, close);
    assertThat(information.yy()).isCloseTo(43.75, close);
    assertThat(information.xy()).isCloseTo(75 * Math.sqrt(3) / 4, close);
    assertThat(information.tt()).isCloseTo(4, close);
    assertThat(information.xt()).isZero();
    assertThat(information.yt()).isZero();
  }
}
