package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.Logs;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SinkAfterFirstReadingTest {

  @TempDir private Path folder;

  @Test
  void writesNothingBeforeTheFirstReading() throws Exception {
    RunMetrics runMetrics = new RunMetrics(1, System::nanoTime, RunObserver.NONE);
    SinkAfterFirstReading sink = new SinkAfterFirstReading(new FileSink(folder), runMetrics);
    try (LaserLog office = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      Iterator<LogEntry> log = runMetrics.watch(office);
      sink.end(List.of());
      assertThat(folder).isEmptyDirectory();

      log.next();
      sink.end(List.of());
      assertThat(folder.resolve(FileSink.TRAJECTORY)).exists();
    }
  }
}
