package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import org.cartostream.sim.log.Recording;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Nightly(computes = true)
class DegradedLaserAccuracyTest {

  /**
   * Odometry alone is off by 24 m. A search that took one door for the next led to 2.6 m with 70
   * degrees, and to 0.66 m with every fourth beam; four metres were mapped with it, too, by some
   * seeds ten times as well as by others. So it is the second best of three that counts.
   */
  @ParameterizedTest
  @CsvSource({"FOUR_METRES, 1", "SEVENTY_DEGREES, 0.5", "EVERY_FOURTH_BEAM, 0.25"})
  void theIntelLogIsMapped(DegradedLaser laser, double metres) throws Exception {
    Path log = TestFiles.publicLog("intel.clf");
    Recording seen =
        laser.applyTo(
            Recording.read(
                CarmenLog.open(log, CarmenSettings.defaults()),
                TestFiles.publicLog("intel.reference.tum")));
    double[] errors = new double[3];
    for (int i = 0; i < errors.length; i++) {
      errors[i] = FaultTolerance.ate(seen, i + 1);
    }
    Arrays.sort(errors);
    assertThat(errors[1]).as("of %s", Arrays.toString(errors)).isLessThan(metres);
  }
}
