package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The whole state of a filter comes back, whatever its odometry checks remember: it answers each
 * later reading as the filter that went on, and then is the same to the last byte.
 */
@Quick
class FilterStateTest {

  private static final long SEED = 30;
  private static final int READINGS = 100;

  @ParameterizedTest
  @EnumSource
  void aFilterThatWasPutAwayAnswersAsTheOneThatWentOn(Fault fault) throws Exception {
    List<Reading> readings =
        fault
            .applyTo(SimulatedLog.of(World.office(), Route.deadEnds(), SEED), SEED)
            .first(READINGS)
            .readings();
    int cut = 1 + new Random(SEED + fault.ordinal()).nextInt(READINGS - 20);
    System.out.printf("seed %d: cut at %d%n", SEED, cut);
    SerialFilter undisturbed =
        new SerialFilter(
            Settings.build(FilterSettings.class, Map.of("particles", "4", "resampleBelow", "0.9")),
            "robot");
    for (int i = 0; i < cut; i++) {
      undisturbed.process(i + 1, readings.get(i));
    }
    byte[] bytes = StateCodec.encode(undisturbed).bytes();
    SerialFilter restored = StateCodec.decode(bytes, SerialFilter.class);
    for (int i = cut; i < readings.size(); i++) {
      assertThat(restored.process(i + 1, readings.get(i)))
          .as("reading %d", i + 1)
          .isEqualTo(undisturbed.process(i + 1, readings.get(i)));
    }
    assertThat(restored.trajectoryTree().bestPath().path())
        .isEqualTo(undisturbed.trajectoryTree().bestPath().path());
    assertThat(restored.trajectoryTree().currentMap().cells())
        .isEqualTo(undisturbed.trajectoryTree().currentMap().cells());
  }
}
