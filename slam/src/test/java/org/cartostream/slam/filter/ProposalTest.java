package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

/** Odometry says that the robot has not moved, and it has. */
class ProposalTest {

  private static final FilterSettings SETTINGS = Settings.build(FilterSettings.class, Map.of());

  /** Too far for a climb. */
  private static final Pose TRUTH = new Pose(0.8, 0.3, 0.4);

  private static final MotionModel LOOSE = new MotionModel(1, 1, 1);
  private static final MotionModel STRICT = new MotionModel(0.025, 0.025, 0.025);

  private final ScanMatcher matcher = new ScanMatcher(SETTINGS.matcher(), SETTINGS.cellMetres());

  private Proposal.Drawn draw(Pose start, MotionModel error) {
    TiledMap map = new TiledMap();
    matcher.register(map, beams(scan(Pose.ORIGIN)), Pose.ORIGIN);
    Scan scan = scan(TRUTH);
    Step step = new Step(2, 0, true, false, false, false, Pose.ORIGIN, start, Pose.ORIGIN, scan);
    return new Proposal(SETTINGS, matcher)
        .draw(map, beams(scan), Pose.ORIGIN, step, error, new Noise(1, "r2d2", 2, 0));
  }

  private static Scan scan(Pose from) {
    return Room.askew().scan(from, Room.Laser.FULL_TURN);
  }

  private static Beams beams(Scan scan) {
    return Beams.of(scan, TiledMap.UNITS / SETTINGS.cellMetres(), SETTINGS.independentRadians());
  }

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
}
