package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A laser whose stamps lag, or seem to. */
@Nightly(computes = true)
class LaserLagAccuracyTest {

  private static final long SEED = 1;

  /** What is found by the end of a log, seconds. */
  private static double found(List<Reading> readings) {
    ReadingFilter filter = new ReadingFilter(Settings.defaults(FilterSettings.class));
    double lag = 0;
    for (int i = 0; i < readings.size(); i++) {
      if (filter.decide(i + 1, readings.get(i)) instanceof ReadingFilter.Decision.Accept accept) {
        lag = accept.step().lagSeconds();
      }
    }
    return lag;
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.5, -0.2, 0.2, 0.3, 0.5})
  void isFoundOnADriveOfMinutes(double seconds) {
    assertThat(found(LaggedDrive.of(Route.office(), SEED).readings(seconds)))
        .isCloseTo(seconds, within(0.05));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void isNotFoundWhereThereIsNone(long seed) {
    assertThat(found(LaggedDrive.of(Route.office(), seed).readings(0))).isZero();
  }

  /** Odometry that is late for ten readings among them. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void otherFaultsAreNotTakenForIt(Fault fault) {
    Recording sound = SimulatedLog.of(World.office(), Route.deadEnds(), SEED);
    assertThat(found(fault.applyTo(sound, SEED).readings())).isZero();
  }
}
