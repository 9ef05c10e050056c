package org.cartostream.run.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.preprocess.ReadingFilter;

/**
 * Lag of the scans' stamps in recorded files: found by reading the files before the run, so that
 * the run has all stamps right from its first reading on. Other logs pair each scan with odometry
 * themselves, and no setting moves their stamps.
 */
public final class RecordedLag {

  /** Number of readings by which a lag is looked for: a lag that is constant shows in fewer. */
  private static final long MAX_READINGS = 5_000;

  private static final String SETTING = "ros.laserLagSeconds";

  private RecordedLag() {}

  /**
   * Returns the settings by which the stamps are right; the same ones if no lag is found.
   *
   * @param limit number of scans that the run takes
   * @param stop ends the search early if it is true
   * @param notices receives a sentence if a lag is found
   */
  public static RootSettings correcting(
      List<Path> logs,
      RootSettings settings,
      long limit,
      BooleanSupplier stop,
      Consumer<String> notices)
      throws IOException {
    double lag = MessageFile.isMessageFile(logs.get(0)) ? seconds(logs, settings, limit, stop) : 0;
    if (lag == 0) {
      return settings;
    }
    double hundredths = Math.rint(100 * (settings.ros().laserLagSeconds() + lag));
    String all = String.format(Locale.ROOT, "%.2f", hundredths / 100 + 0.0); // No "-0.00".
    notices.accept(
        String.format(
            Locale.ROOT,
            "scans are stamped %.2f s %s than they were taken, by odometry's turns: put right, as"
                + " --set %s=%s does",
            Math.abs(lag),
            lag > 0 ? "later" : "earlier",
            SETTING,
            all));
    return Settings.with(settings, Map.of(SETTING, all));
  }

  /** Returns the lag that the first readings together prove; 0 if they prove none. */
  private static double seconds(
      List<Path> logs, RootSettings settings, long limit, BooleanSupplier stop) throws IOException {
    ReadingFilter filter = new ReadingFilter(settings.slam());
    double lag = 0;
    long number = 0;
    try (LaserLog log = InputLog.open(logs, settings)) {
      while (number < Math.min(limit, MAX_READINGS) && log.hasNext() && !stop.getAsBoolean()) {
        if (log.next() instanceof LogEntry.Usable usable
            && filter.decide(++number, usable.reading())
                instanceof ReadingFilter.Decision.Accept accept) {
          lag = accept.step().lagSeconds();
        }
      }
    } catch (UncheckedIOException e) {
      return lag; // The run reports the error when it reads that place.
    }
    return lag;
  }
}
