package org.cartostream.slam.localisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class MonteCarloLocalisationTest {

  /** A room that looks alike from no two places. */
  private static final GridWorld WORLD =
      new GridWorld(8, 6).wall(2, 2, 3, 3).wall(5, 4, 5.5, 6).wall(6.5, 0, 8, 1);

  /** Odometry has a frame of its own. */
  private Pose odometry = new Pose(7, -9, 2);

  private Pose truth = new Pose(3.5, 3.2, 0.2);
  private long sequence;

  private static MonteCarloLocalisation filter(ServerMap map, Optional<Pose> start, long seed) {
    return new MonteCarloLocalisation(
        Settings.defaults(LocalisationSettings.class),
        Settings.build(FilterSettings.class, Map.of("seed", String.valueOf(seed))),
        "robot",
        map,
        start);
  }

  private Result.Localised read(MonteCarloLocalisation filter, GridWorld world) {
    sequence++;
    Reading reading = new Reading(sequence * 500_000_000L, odometry, world.scan(truth));
    return (Result.Localised) filter.process(sequence, reading);
  }

  /** Drives on: odometry's steps are too long by a fiftieth. */
  private Result.Localised drive(MonteCarloLocalisation filter, GridWorld world, Pose step) {
    truth = truth.then(step);
    odometry = odometry.then(new Pose(1.02 * step.x(), step.y(), step.theta()));
    return read(filter, world);
  }

  /** On a circle, with every reading's result. */
  private List<Result.Localised> circle(MonteCarloLocalisation filter, int readings) {
    List<Result.Localised> results = new ArrayList<>();
    for (int i = 0; i < readings; i++) {
      results.add(drive(filter, WORLD, new Pose(0.15, 0, 0.11)));
    }
    return results;
  }

  private void assertIsThere(Result.Localised result) {
    assertThat(result.pose().inMap().distance(truth)).isLessThan(0.05);
    assertThat(Math.abs(Pose.wrap(result.pose().inMap().theta() - truth.theta()))).isLessThan(0.02);
    assertThat(result.pose().quality().state()).isEqualTo(State.OK);
    result.pose().covariance().cholesky(); // Throws where it is not positive definite.
  }

  @Test
  void followsARobotWhoseStartIsKnownRoughly() {
    Pose beside = new Pose(truth.x() + 0.3, truth.y() + 0.2, truth.theta() + 0.1);
    MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.of(beside), 1);
    read(filter, WORLD);

    circle(filter, 8);
    for (int i = 0; i < 30; i++) {
      assertIsThere(drive(filter, WORLD, new Pose(0.15, 0, 0.11)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = 1)
  void findsARobotOfWhichNothingIsKnown(long seed) {
    MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.empty(), seed);
    read(filter, WORLD);

    circle(filter, 50);

    assertIsThere(drive(filter, WORLD, new Pose(0.15, 0, 0.11)));
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  void findsARobotOfWhichNothingIsKnownByOtherSeeds(long seed) {
    findsARobotOfWhichNothingIsKnown(seed);
  }

  @ParameterizedTest
  @ValueSource(longs = 1)
  void findsARobotThatWasCarriedAway(long seed) {
    MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.of(truth), seed);
    read(filter, WORLD);
    circle(filter, 10);

    truth = new Pose(6, 1.06, 0); // Odometry knows nothing of it.
    assertThat(circle(filter, 40)).anyMatch(each -> each.pose().quality().state() == State.LOST);
    circle(filter, 20);

    assertIsThere(drive(filter, WORLD, new Pose(0.15, 0, 0.11)));
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  void findsARobotThatWasCarriedAwayByOtherSeeds(long seed) {
    findsARobotThatWasCarriedAway(seed);
  }

  /** Somewhere in a building one scan or two fit by chance. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aRobotThatWasLostIsFoundByTenScansThatFit(long seed) {
    MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.of(truth), seed);
    read(filter, WORLD);
    circle(filter, 10);
    truth = new Pose(6, 1.06, 0);
    int atItsPlace = 0;
    Result.Localised result = drive(filter, WORLD, new Pose(0.15, 0, 0.11));
    boolean wasLost = false;
    for (int i = 0; i < 80 && !(wasLost && result.pose().quality().state() == State.OK); i++) {
      result = drive(filter, WORLD, new Pose(0.15, 0, 0.11));
      wasLost |= result.pose().quality().state() == State.LOST;
      atItsPlace = result.pose().inMap().distance(truth) < 0.1 ? atItsPlace + 1 : 0;
    }

    assertIsThere(result);
    assertThat(atItsPlace).as("readings, of which some are weighed").isGreaterThan(10);
  }

  /**
   * No beam ends near a wall: all particles weigh the same, and none would be resampled for that.
   */
  @ParameterizedTest
  @ValueSource(longs = 1)
  void findsARobotThatWasPutWhereItSeesNoWall(long seed) {
    GridWorld wide =
        new GridWorld(48, 30)
            .wall(2, 2, 3, 3)
            .wall(5, 4, 5.5, 6)
            .wall(6.5, 0, 8, 1)
            .wall(7.95, 0, 8, 6);
    ServerMap map = wide.wall(0, 5.95, 8, 6).map(Pose.ORIGIN);
    MonteCarloLocalisation filter = filter(map, Optional.of(new Pose(28, 18, 0)), seed);
    read(filter, WORLD);
    assertThat(drive(filter, WORLD, new Pose(0.15, 0, 0.11)).pose().quality().state())
        .isEqualTo(State.LOST);

    circle(filter, 80);

    assertIsThere(drive(filter, WORLD, new Pose(0.15, 0, 0.11)));
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  void findsARobotThatWasPutWhereItSeesNoWallByOtherSeeds(long seed) {
    findsARobotThatWasPutWhereItSeesNoWall(seed);
  }

  /** Whatever people stand about it: of one place one scan knows as much as a hundred. */
  @Test
  void aRobotThatStandsIsNotFoundByWeighingItAgain() {
    MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.empty(), 1);
    for (int i = 0; i < 20; i++) {
      filter.place(i == 0 ? new InitialPose.Anywhere() : new InitialPose.Unmoved());
      assertThat(read(filter, WORLD).pose().quality().state()).isNotEqualTo(State.OK);
    }

    assertThat(filter.weighings()).isEqualTo(1);
    drive(filter, WORLD, new Pose(0.15, 0, 0));
    assertThat(filter.weighings()).isEqualTo(1);
    drive(filter, WORLD, new Pose(0.1, 0, 0));
    assertThat(filter.weighings()).isEqualTo(2);
  }

  /** amcl's request_nomotion_update. */
  @Test
  void particlesOfARobotThatStandsAreWeighedIfSomebodyAsks() {
    Pose beside = new Pose(truth.x() + 0.3, truth.y() + 0.2, truth.theta() + 0.1);
    MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.of(beside), 1);
    read(filter, WORLD);
    assertThat(read(filter, WORLD).resampling().sequence()).as("weighed last").isEqualTo(1);

    filter.place(new InitialPose.Unmoved());
    Result.Localised asked = read(filter, WORLD);

    assertThat(asked.resampling().sequence()).isEqualTo(3);
    assertThat(asked.pose().quality().deviationMetres())
        .as("of particles that stay")
        .isLessThan(0.1);
    assertIsThere(asked);
    assertThat(read(filter, WORLD).resampling().sequence()).isEqualTo(3);
  }

  @Test
  void aWishForAWeighingDoesNotUnsayWhereTheRobotIs() {
    InitialPose here = new InitialPose.At(truth, 0.1, 0.1, 0.1);
    InitialPose unmoved = new InitialPose.Unmoved();
    assertThat(here.then(unmoved)).isEqualTo(here);
    assertThat(unmoved.then(here)).isEqualTo(here);
    assertThat(here.then(new InitialPose.Anywhere())).isEqualTo(new InitialPose.Anywhere());
  }

  /** The poses that the matcher climbs over in search of the robot cost more than all else. */
  @Test
  void theSearchForARobotIsCounted() {
    MonteCarloLocalisation known = filter(WORLD.map(Pose.ORIGIN), Optional.of(truth), 1);
    MonteCarloLocalisation unknown = filter(WORLD.map(Pose.ORIGIN), Optional.empty(), 1);
    read(known, WORLD);
    read(unknown, WORLD);

    assertThat(unknown.evaluations()).isGreaterThan(2000 + known.evaluations());
  }

  /** A room of 4 m by 3 m twice, without a door: whatever is seen, it may be the other one. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whereTwoRoomsAreEqualItIsSaidThatItMayBeEither(long seed) {
    GridWorld twins =
        new GridWorld(8.05, 3)
            .wall(4, 0, 4.05, 3)
            .wall(0.5, 2, 1, 2.5)
            .wall(4.5, 2, 5, 2.5)
            .wall(3, 0, 3.4, 0.6)
            .wall(7, 0, 7.4, 0.6);
    truth = new Pose(1.5, 1.2, 0);
    MonteCarloLocalisation filter = filter(twins.map(Pose.ORIGIN), Optional.empty(), seed);
    read(filter, twins);
    for (int i = 0; i < 15; i++) {
      drive(filter, twins, new Pose(0.1, 0, 0.18));
    }
    for (int i = 0; i < 25; i++) {
      Result.Localised result = drive(filter, twins, new Pose(0.1, 0, 0.18));
      assertThat(result.pose().quality().state()).as("seed %d", seed).isEqualTo(State.AMBIGUOUS);
      Pose twin = new Pose(truth.x() + 4, truth.y(), truth.theta());
      assertThat(
              Math.min(result.pose().inMap().distance(truth), result.pose().inMap().distance(twin)))
          .isLessThan(0.06);
    }
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6, 7, 8, 9, 10})
  void whereTwoRoomsAreEqualItIsSaidThatItMayBeEitherByOtherSeeds(long seed) {
    whereTwoRoomsAreEqualItIsSaidThatItMayBeEither(seed);
  }

  @Test
  void isLostInAMapWithoutWallsAndInThatOfAnotherPlace() {
    assertIsLostInOtherMaps(10);
  }

  @Nightly
  @Test
  void staysLostInAMapWithoutWallsAndInThatOfAnotherPlace() {
    assertIsLostInOtherMaps(30);
  }

  private void assertIsLostInOtherMaps(int readings) {
    for (GridWorld other :
        List.of(new GridWorld(40, 40), new GridWorld(20, 1.5).wall(9, 0, 9.3, 0.4))) {
      MonteCarloLocalisation filter =
          filter(other.map(Pose.ORIGIN), Optional.of(new Pose(10, 0.75, 0)), 1);
      read(filter, WORLD);
      assertThat(circle(filter, readings))
          .allMatch(each -> each.pose().quality().state() == State.LOST);
    }
  }

  @Test
  void oneSeedGivesOneAnswer() {
    List<List<Result.Localised>> answers = new ArrayList<>();
    for (long seed : new long[] {7, 7, 8}) {
      truth = new Pose(3.5, 3.2, 0.2);
      odometry = Pose.ORIGIN;
      sequence = 0;
      MonteCarloLocalisation filter = filter(WORLD.map(Pose.ORIGIN), Optional.empty(), seed);
      read(filter, WORLD);
      answers.add(circle(filter, 15));
    }

    assertThat(qualities(answers.get(0))).isEqualTo(qualities(answers.get(1)));
    assertThat(qualities(answers.get(0))).isNotEqualTo(qualities(answers.get(2)));
  }

  private static List<Object> qualities(List<Result.Localised> answers) {
    return answers.stream()
        .<Object>map(each -> List.of(each.pose(), each.pose().quality()))
        .toList();
  }

  @Test
  void posesAreInTheFrameThatTheMapLiesIn() {
    Pose origin = new Pose(-20, 5, 2.5);
    MonteCarloLocalisation filter = filter(WORLD.map(origin), Optional.of(origin.then(truth)), 1);
    read(filter, WORLD);

    List<Result.Localised> results = circle(filter, 15);

    assertThat(results.get(14).pose().inMap().distance(origin.then(truth))).isLessThan(0.05);
  }

  @Test
  void aStartWhereNoRobotCanStandIsNamed() {
    ServerMap map = WORLD.map(new Pose(-1, -1, 0));

    assertThatThrownBy(() -> filter(map, Optional.of(new Pose(7.5, 2, 0)), 1))
        .hasMessageContaining("the start (7.5, 2.0) lies outside the map, which reaches from")
        .hasMessageContaining("(-1.00, -1.00) to (7.00, 5.00)");
    assertThatThrownBy(() -> filter(map, Optional.of(new Pose(1.5, 1.5, 0)), 1))
        .hasMessageContaining("the start (1.5, 1.5) lies inside a wall");
  }
}
