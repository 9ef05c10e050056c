package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.cartostream.gateway.FileSink;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkOnceBegunTest {

  @TempDir private Path folder;

  @Test
  void writesNothingBeforeTheFirstReading() throws Exception {
    Ledger ledger = new Ledger(1, System::nanoTime);
    SinkOnceBegun sink = new SinkOnceBegun(new FileSink(folder), ledger);
    try (LaserLog office = LaserLog.open(Logs.OFFICE)) {
      Iterator<LogEntry> log = ledger.watch(office);
      sink.end(List.of());
      assertThat(folder).isEmptyDirectory();

      log.next();
      sink.end(List.of());
      assertThat(folder.resolve(FileSink.TRAJECTORY)).exists();
    }
  }
}
