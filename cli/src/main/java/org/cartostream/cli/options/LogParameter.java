package org.cartostream.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.sensor.Reading;
import picocli.CommandLine.Parameters;

/** The parameter that names the one log of a measurement. */
public final class LogParameter {

  @Parameters(
      index = "0",
      paramLabel = "LOG",
      description = "A log file, or a data set's name ('cartostream datasets' lists them).")
  private String log;

  /** The log's file. */
  public Path file() {
    return InputLog.resolve(log, DataSets.installed());
  }

  /**
   * Its first readings.
   *
   * @param most how many at the most
   * @throws IOException if the file cannot be read, or is no log
   */
  public List<Reading> readings(int most, RootSettings settings) throws IOException {
    try (LaserLog scans = InputLog.open(file(), settings)) {
      return scans.readings(most);
    }
  }
}
