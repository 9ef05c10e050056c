package org.cartostream.run.initialpose;

import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import org.cartostream.gateway.carried.GlobalLocalisation;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;

/**
 * Check of a run's stated initial pose in a known map: the first scan is localised at that pose,
 * and if it does not fit, the whole map is searched, so that the right pose can be proposed. Takes
 * the run's readings one by one; not thread-safe.
 */
public final class InitialPoseCheck {

  /** Maximum number of weighings that the search takes. */
  private static final int MAX_WEIGHINGS = 100;

  private final ServerMap map;
  private final Pose start;
  private final RootSettings settings;

  /** Localisation that starts at the stated pose; null before the first reading. */
  private MonteCarloLocalisation there;

  /** Search for the robot in the whole map; null until the first scan is known not to fit. */
  private GlobalLocalisation anywhere;

  private long readings;

  /** First usable reading; null before that. */
  private Reading first;

  /** Fit of the first scan at the stated pose. */
  private double fit;

  /** Pose at which the first scan fits; null while none is found. */
  private Pose fitting;

  private boolean isDecided;

  public InitialPoseCheck(ServerMap map, Pose start, RootSettings settings) {
    this.map = map;
    this.start = start;
    this.settings = settings;
  }

  /**
   * Checks a log's first usable scan; returns a warning for people, or empty if the scan fits or
   * the log has none.
   */
  public Optional<String> doubt(Iterator<LogEntry> log) {
    try {
      while (!isDecided && log.hasNext()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          take(usable.reading());
        }
      }
    } catch (UncheckedIOException e) {
      return Optional.empty(); // The run reports the error when it reads that place.
    }
    return anywhere == null ? Optional.empty() : Optional.of(misfit() + end());
  }

  private String end() {
    return fitting == null
        ? "; the robot was not found anywhere else in the map, either"
        : "; it would at " + GlobalLocalisation.numbers(fitting);
  }

  /** Returns true if no further readings are needed. */
  public boolean isDecided() {
    return isDecided;
  }

  /**
   * Takes the next reading.
   *
   * @return a warning for people when the first scan turns out not to fit, and a second one when
   *     the robot is found elsewhere or the search ends; otherwise empty
   */
  public Optional<String> take(Reading reading) {
    if (isDecided) {
      return Optional.empty();
    }
    readings++;
    boolean begins = first == null;
    if (begins) {
      begin(reading);
    }
    if (anywhere != null) {
      search(reading);
    }
    isDecided |= anywhere != null && anywhere.weighings() >= MAX_WEIGHINGS;
    if (anywhere == null || !(begins || isDecided)) {
      return Optional.empty();
    }
    return Optional.of(misfit() + (isDecided ? end() : "; it is looked for in all of the map"));
  }

  private void begin(Reading reading) {
    if (there == null) {
      there =
          new MonteCarloLocalisation(
              settings.localisation(),
              settings.slam(),
              GlobalLocalisation.ROBOT,
              map,
              Optional.of(start));
    }
    if (there.process(readings, reading) instanceof Localised begun) {
      first = reading;
      fit = begun.pose().quality().fit();
      isDecided = fit >= settings.localisation().lostBelowFit();
      anywhere =
          isDecided ? null : new GlobalLocalisation(map, settings.localisation(), settings.slam());
    }
  }

  private void search(Reading reading) {
    if (anywhere.isFoundAt(reading)) {
      fitting = anywhere.pose().then(reading.odometry().to(first.odometry()));
      isDecided = true;
    }
  }

  private String misfit() {
    return String.format(
        Locale.ROOT,
        "--at %s: the first scan does not fit the map there: %.2f of what its beams meet stands in"
            + " it, and %s should (localisation.lostBelowFit)",
        GlobalLocalisation.numbers(start),
        fit,
        settings.localisation().lostBelowFit());
  }
}
