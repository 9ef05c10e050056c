package org.cartostream.slam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.io.TempDir;

/** Reads CARMEN logs that a test has written. */
public abstract class WrittenLog {

  public static final String FLASER = "FLASER 3 1.5 2 50 9 9 9 1 2 0.5 12.25 robot 12.25";
  public static final String ROBOTLASER =
      "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 0 1 3 1.5707963 1 2 1.5707963"
          + " 0 0 0 0 0 7.000000001 robot 0";

  @TempDir public Path folder;

  public final Reading only(String line) throws IOException {
    List<LogEntry> entries = entries(write(line + "\n"));
    assertThat(entries).hasSize(1);
    assertThat(entries.get(0)).isInstanceOf(LogEntry.Usable.class);
    return ((LogEntry.Usable) entries.get(0)).reading();
  }

  public static List<LogEntry> entries(Path file) throws IOException {
    List<LogEntry> entries = new ArrayList<>();
    try (LaserLog log = CarmenLog.open(file, CarmenSettings.defaults())) {
      log.forEachRemaining(entries::add);
      assertThat(entries).hasSize(log.scanCount());
    }
    return entries;
  }

  public final Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("test.clf"), text);
  }
}
