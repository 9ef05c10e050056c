package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SerialEngineTest {

  private static final int READ_WELL = 12;

  @TempDir private Path folder;

  @Test
  void keepsWhatWasDoneUntilTheLogBreaksOff() throws Exception {
    RootSettings settings = Settings.build(RootSettings.class, Map.of("slam.particles", "5"));
    RunMetrics runMetrics = new RunMetrics(Long.MAX_VALUE, System::nanoTime, RunObserver.NONE);
    try (LaserLog office = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      new SerialEngine(settings, "office", RunCheckpoints.none(), Optional.empty())
          .run(runMetrics.watch(breakingOff(office)), runMetrics, folder, new ShutdownRequest());
    }
    assertThat(runMetrics.failure())
        .contains("the log cannot be read any further: my.bag is damaged: a scan is cut off");
    assertThat(runMetrics.snapshot().readings().processed()).isEqualTo(READ_WELL);
    assertThat(Files.readAllLines(folder.resolve("trajectory.tum"))).hasSize(READ_WELL);
    assertThat(folder.resolve("map.png")).exists();
  }

  /** As a bag does of which a message is damaged. */
  private static Iterator<LogEntry> breakingOff(LaserLog log) {
    return new Iterator<>() {
      private int read;

      @Override
      public boolean hasNext() {
        if (read == READ_WELL) {
          throw new UncheckedIOException(
              new FileFormatException("my.bag is damaged: a scan is cut off"));
        }
        return log.hasNext();
      }

      @Override
      public LogEntry next() {
        read++;
        return log.next();
      }
    };
  }
}
