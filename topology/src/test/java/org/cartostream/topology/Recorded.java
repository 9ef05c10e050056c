package org.cartostream.topology;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.TestFiles;

/** The first readings of recorded logs. */
public final class Recorded {

  private static final Path ROOT =
      Path.of(System.getProperty("cartostream.root", "..")).toAbsolutePath();

  private Recorded() {}

  /** The small log that comes with the repository. */
  public static List<Reading> office(int count) {
    return first(ROOT.resolve("datasets").resolve("office.clf"), count);
  }

  /** The Intel Research Lab, from the folder of shared data sets; skips the test if it has none. */
  static List<Reading> intel(int count) {
    return shared("intel.clf", count);
  }

  /** The ACES building, likewise. */
  public static List<Reading> aces(int count) {
    return shared("aces.clf", count);
  }

  private static List<Reading> shared(String name, int count) {
    return first(TestFiles.publicLog(name), count);
  }

  private static List<Reading> first(Path file, int count) {
    try (LaserLog log = CarmenLog.open(file, CarmenSettings.defaults())) {
      List<Reading> readings = new ArrayList<>();
      while (readings.size() < count && log.hasNext()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          readings.add(usable.reading());
        }
      }
      return readings;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
