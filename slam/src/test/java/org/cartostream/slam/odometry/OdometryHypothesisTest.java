package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.OdometryHypothesis.Evidence;
import org.cartostream.slam.odometry.OdometryHypothesis.Explanation;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class OdometryHypothesisTest extends RoomDrive {

  private static final FilterSettings SETTINGS = Settings.defaults(FilterSettings.class);

  private final OdometryCheck check = new OdometryCheck(SETTINGS);

  /** Takes the same readings, and nobody asks its hypotheses but itself. */
  private final OdometryCheck twin = new OdometryCheck(SETTINGS);

  @Test
  void areTriedInThisOrder() {
    assertThat(check.hypotheses())
        .hasExactlyElementsOfTypes(
            CaughtUpHypothesis.class,
            ImplausibleStepHypothesis.class,
            FrozenOdometryHypothesis.class,
            ContradictedPoseHypothesis.class);
  }

  @Test
  void eachExplainsItsFaultAndChangesNothing() {
    begin();
    Pose moved = new Pose(0.25, 0, 0.1);
    for (int i = 0; i < 10; i++) {
      assertThat(explains(new Pose(0.05, 0, 0.03), new Pose(0.05, 0, 0.03))).isEmpty();
    }
    Pose owed = moved;
    for (int i = 0; i < 4; i++) {
      assertThat(explains(moved, Pose.ORIGIN)).containsExactly(ContradictedPoseHypothesis.class);
      owed = owed.then(moved);
    }
    assertThat(explains(moved, owed)).startsWith(CaughtUpHypothesis.class);
    Pose leap = new Pose(14, -3, 2);
    assertThat(explains(ahead(0.05), leap)).startsWith(ImplausibleStepHypothesis.class);
  }

  @Test
  void encodersThatFreezeInACorridorAreExplainedWithoutAContradiction() {
    periodNanos = 1_000_000_000;
    laser = Room.Laser.ahead(181);
    room = corridorOfDoors(1000, true);
    truth = new Pose(-30, 0.1, 0);
    begin();
    for (int i = 0; i < 10; i++) {
      explains(ahead(0.85), ahead(0.85));
    }
    assertThat(explains(ahead(0.85), Pose.ORIGIN)).startsWith(FrozenOdometryHypothesis.class);
  }

  private void begin() {
    Reading reading = reading();
    check.begin(reading);
    twin.begin(reading);
  }

  private Reading reading() {
    stamp += periodNanos;
    return new Reading(stamp, odometry, room.scan(truth, laser));
  }

  /**
   * The robot moves, odometry says that it moved, and the reading becomes a key frame.
   *
   * @return which hypotheses explain it; each is asked twice
   */
  private List<Class<?>> explains(Pose moved, Pose says) {
    truth = truth.then(moved);
    odometry = odometry.then(says);
    Reading reading = reading();
    Evidence evidence = check.look(says, reading);
    List<Class<?>> explaining = new ArrayList<>();
    for (OdometryHypothesis hypothesis : check.hypotheses()) {
      if (hypothesis.applies(evidence)) {
        Optional<Explanation> explanation = hypothesis.explain(evidence);
        assertThat(hypothesis.explain(evidence)).isEqualTo(explanation);
        explanation.ifPresent(found -> explaining.add(hypothesis.getClass()));
      }
    }
    OdometryCheck.CheckedMotion checked = check.decide(evidence);
    assertThat(checked).isEqualTo(twin.check(says, reading));
    assertThat(explaining.isEmpty() || checked.replaced()).isTrue();
    check.keyFrame(reading);
    twin.keyFrame(reading);
    return explaining;
  }
}
