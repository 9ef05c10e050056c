package org.cartostream.bench.faults;

import java.io.IOException;
import org.cartostream.sim.log.Recording;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The filter on recorded logs whose odometry was made bad; {@link FaultTolerance} says how far it
 * may err.
 */
@Nightly(computes = true)
class FaultyOdometryOnLogsAccuracyTest {

  /** Readings of the intel log: the first 125 m. */
  private static final int BEGINNING = 250;

  /** Not in reverse: this part of the log has 0.2 m backwards, too little to prove anything. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REVERSE_AS_FORWARD", "LASER_TURNED"})
  void theIntelLogIsMappedNearlyAsWellAsWithout(Fault fault) throws Exception {
    FaultTolerance.withstands(fault, recorded("intel").first(BEGINNING));
  }

  /**
   * Its corridors are long, and a metre lies between two readings: nothing but that the scan
   * changes contradicts encoders that freeze there.
   */
  @ParameterizedTest
  @EnumSource(names = {"FROZEN_ODOMETRY", "LATE_ODOMETRY"})
  void theAcesLogIsMappedNearlyAsWellAsWithout(Fault fault) throws Exception {
    FaultTolerance.withstands(fault, recorded("aces"));
  }

  private static Recording recorded(String name) throws IOException {
    return Recording.read(
        CarmenLog.open(TestFiles.publicLog(name + ".clf"), CarmenSettings.defaults()),
        TestFiles.publicLog(name + ".reference.tum"));
  }
}
