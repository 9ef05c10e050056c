package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cartostream.run.Logs;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * States that an earlier build wrote are read, whatever their classes, fields and settings are
 * called now. Whoever changes what a state holds writes both files anew, with {@code replay
 * datasets/office.clf --limit 8 --particles 2 --set slam.cellMetres=0.2} and {@code --engine
 * serial}, or {@code --engine storm --tasks 1}.
 */
@Quick
class KeptStateTest {

  private static final int READINGS = 8;

  /** Of the last line of the {@code trajectory.tum} that was written beside each state, metres. */
  private static final double X = 1.665766073;

  private static final double Y = -0.005610481;

  /** The next line of that file, had the run gone on for one more reading, metres. */
  private static final double NEXT_X = 1.888691412;

  private static final FilterSettings SETTINGS =
      Settings.build(RootSettings.class, Map.of("slam.cellMetres", "0.2", "slam.particles", "2"))
          .slam();

  private static PriorRun kept(String name) throws Exception {
    return PriorRun.of(Path.of(KeptStateTest.class.getResource(name).toURI()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"serial.state", "service.state"})
  void hasTheRunsPath(String name) throws Exception {
    PriorRun run = kept(name);
    List<PathPose> path = run.path().path();

    assertThat(run.reading()).isEqualTo(READINGS);
    assertThat(path).hasSize(READINGS);
    assertThat(path.get(READINGS - 1).pose().x()).isCloseTo(X, within(1e-9));
    assertThat(path.get(READINGS - 1).pose().y()).isCloseTo(Y, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"serial.state", "service.state"})
  void itsFilterGoesOnAsIfNothingHadBeen(String name) throws Exception {
    SerialFilter filter = kept(name).end(SETTINGS).filter();

    filter.process(READINGS + 1, reading(READINGS + 1));

    List<PathPose> path = filter.trajectoryTree().bestPath().path();
    assertThat(path).hasSize(READINGS + 1);
    assertThat(path.get(READINGS).pose().x()).isCloseTo(NEXT_X, within(1e-6));
  }

  private static Reading reading(int number) throws Exception {
    try (LaserLog office = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      LogEntry entry = null;
      for (int i = 0; i < number; i++) {
        entry = office.next();
      }
      return ((LogEntry.Usable) entry).reading();
    }
  }
}
