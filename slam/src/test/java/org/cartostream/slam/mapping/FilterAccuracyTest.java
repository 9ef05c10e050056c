package org.cartostream.slam.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.Trajectory;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The filter on recorded logs: the beginnings of two, and one whole because its loops close late.
 * Whole logs over several seeds are for {@code bench accuracy}.
 */
@Default(computes = true)
class FilterAccuracyTest {

  /** Odometry must miss the bar by far, or the case would prove nothing. */
  private static final double ODOMETRY_WORSE = 5;

  @Nightly(computes = true)
  @ParameterizedTest
  @CsvSource({"intel, 300, 30, 0.10", "aces, 440, 60, 0.20", "simbad-640, 60, 30, 0.05"})
  void staysWithinTheBarOfTheBestKnownTrajectory(
      String log, int readings, int particles, double barMetres)
      throws IOException, EvaluationException {
    Path file = TestFiles.publicLog(log + ".clf");
    List<StampedPose> reference = TumFile.read(TestFiles.publicLog(log + ".reference.tum"));
    Map<String, String> values = Map.of("particles", Integer.toString(particles));
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, values), "robot");
    List<StampedPose> odometry = new ArrayList<>();
    long last = Long.MIN_VALUE;
    try (LaserLog entries = CarmenLog.open(file, CarmenSettings.defaults())) {
      for (int k = 1; k <= readings; k++) {
        Reading reading = ((LogEntry.Usable) entries.next()).reading();
        assertThat(filter.process(k, reading)).isInstanceOf(SerialFilter.Result.Processed.class);
        odometry.add(new StampedPose(reading.stampNanos(), reading.odometry()));
        last = Math.max(last, reading.stampNanos());
      }
    }
    List<StampedPose> path =
        filter.trajectoryTree().bestPath().path().stream()
            .map(pose -> new StampedPose(pose.stampNanos(), pose.pose()))
            .toList();
    List<StampedPose> driven = new Trajectory(reference).upTo(last).poses();

    assertThat(TrajectoryError.of(path, driven).rmseMetres()).isLessThan(barMetres);
    if (!log.startsWith("simbad")) {
      // The simulator's odometry is nearly exact: there the filter must not do harm.
      assertThat(TrajectoryError.of(odometry, driven).rmseMetres())
          .isGreaterThan(ODOMETRY_WORSE * barMetres);
    }
  }

  @Test
  void aLaserThatIsTurnedWithoutAnyonesKnowledgeIsFound() throws IOException, EvaluationException {
    double degrees = 5;
    Run knowing = acesWithALaserTurned(degrees, Map.of());
    Run believing = acesWithALaserTurned(degrees, Map.of("odometry.sigmaMountRadians", "0"));

    assertThat(Math.toDegrees(knowing.found.theta())).isCloseTo(degrees, within(1.0));
    assertThat(knowing.metres).isLessThan(0.25);
    assertThat(believing.found).isEqualTo(Pose.ORIGIN);
    assertThat(believing.metres).isGreaterThan(0.5);
  }

  private record Run(Pose found, double metres) {}

  private static Run acesWithALaserTurned(double degrees, Map<String, String> settings)
      throws IOException, EvaluationException {
    List<StampedPose> reference = TumFile.read(TestFiles.publicLog("aces.reference.tum"));
    SerialFilter filter = new SerialFilter(Settings.build(FilterSettings.class, settings), "robot");
    Pose declared = new Pose(0, 0, Math.toRadians(-degrees));
    long k = 0;
    try (LaserLog log =
        CarmenLog.open(TestFiles.publicLog("aces.clf"), CarmenSettings.defaults())) {
      for (Reading reading : log.readings(Integer.MAX_VALUE)) {
        Scan turned = reading.scan().mountedAt(declared);
        filter.process(++k, new Reading(reading.stampNanos(), reading.odometry(), turned));
      }
    }
    List<StampedPose> path =
        filter.trajectoryTree().bestPath().path().stream()
            .map(pose -> new StampedPose(pose.stampNanos(), pose.pose()))
            .toList();
    return new Run(
        filter.cost().odometry().mountError(), TrajectoryError.of(path, reference).rmseMetres());
  }
}
