package org.cartostream.run.engine;

import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;

/**
 * Check of the pose at which a log is said to begin in a grid: its first scan is localised there,
 * and if it does not fit, the robot is looked for in the whole grid, so that the right pose can be
 * named.
 */
record GridStart(ServerMap map, Pose start, RootSettings settings) {

  /** So many of the log's readings are looked at. */
  private static final int MOST_READINGS = 100;

  /** A robot is found where so many readings in a row are OK: the fit is a mean over some ten. */
  private static final int FOUND_READINGS = 10;

  /** A sentence; empty if the first scan fits, or none can be used. */
  Optional<String> doubt(Iterator<LogEntry> log) {
    try {
      return doubted(log);
    } catch (UncheckedIOException e) {
      return Optional.empty(); // The run says so, where it comes to that.
    }
  }

  private Optional<String> doubted(Iterator<LogEntry> log) {
    MonteCarloLocalisation there = filter(Optional.of(start));
    MonteCarloLocalisation anywhere = filter(Optional.empty());
    Reading first = null;
    double fit = 0;
    int found = 0;
    for (long sequence = 1; sequence <= MOST_READINGS && log.hasNext(); ) {
      if (!(log.next() instanceof LogEntry.Usable usable)) {
        continue;
      }
      Reading reading = usable.reading();
      if (first == null && there.process(sequence, reading) instanceof Localised begun) {
        first = reading;
        fit = begun.quality().fit();
        if (fit >= settings.localisation().lostBelowFit()) {
          return Optional.empty();
        }
      }
      if (first != null) {
        MonteCarloLocalisation.Result result = anywhere.process(sequence, reading);
        boolean isOk = result instanceof Localised now && now.quality().state() == State.OK;
        found = isOk ? found + 1 : 0;
        if (found == FOUND_READINGS && result instanceof Localised now) {
          Pose begun = now.pose().then(reading.odometry().to(first.odometry()));
          return Optional.of(doubt(fit) + "; it would at " + numbers(begun));
        }
      }
      sequence++;
    }
    return first == null
        ? Optional.empty()
        : Optional.of(doubt(fit) + "; the robot was not found anywhere else in the map, either");
  }

  private MonteCarloLocalisation filter(Optional<Pose> at) {
    return new MonteCarloLocalisation(settings.localisation(), settings.slam(), "robot", map, at);
  }

  private String doubt(double fit) {
    return String.format(
        Locale.ROOT,
        "--at %s: the first scan does not fit the map there: %.2f of what its beams meet stands in"
            + " it, and %s should (localisation.lostBelowFit)",
        numbers(start),
        fit,
        settings.localisation().lostBelowFit());
  }

  private static String numbers(Pose pose) {
    return String.format(Locale.ROOT, "%.2f,%.2f,%.2f", pose.x(), pose.y(), pose.theta());
  }
}
