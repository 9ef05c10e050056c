package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import org.cartostream.slam.localisation.LocalisationQuality;

/**
 * Gauges of how well a robot is localised in a known map: fit, share, standard deviations, and
 * state of the localisation. Owns the newest {@link LocalisationQuality}, which any thread may
 * read.
 */
final class LocalisationMeters {

  static final String FIT = "cartostream.localisation.fit";
  static final String SHARE = "cartostream.localisation.share";
  static final String DEVIATION = "cartostream.localisation.deviation";
  static final String HEADING_DEVIATION = "cartostream.localisation.heading.deviation";
  static final String STATE = "cartostream.localisation.state";

  private final BiConsumer<Gauge.Builder<?>, Tags> register;

  /** Newest quality; null before the first. */
  private volatile LocalisationQuality newest;

  /**
   * @param robot tags that name the robot
   * @param register registers a gauge with its tags
   */
  LocalisationMeters(Tags robot, BiConsumer<Gauge.Builder<?>, Tags> register) {
    this.register = register;
    gauge(FIT, robot, LocalisationQuality::fit, "", "Share of hits on walls of the map");
    gauge(SHARE, robot, LocalisationQuality::share, "", "Share of the weight at the pose");
    gauge(
        DEVIATION, robot, LocalisationQuality::deviationMetres, "meters", "Particle spread (RMS)");
    gauge(
        HEADING_DEVIATION,
        robot,
        LocalisationQuality::deviationRadians,
        "radians",
        "Heading spread (RMS)");
    for (LocalisationQuality.State state : LocalisationQuality.State.values()) {
      gauge(
          STATE,
          robot.and("state", state.name()),
          quality -> quality.state() == state ? 1 : 0,
          "",
          "1 for the state that the robot is in, else 0");
    }
  }

  private void gauge(
      String name,
      Tags tags,
      ToDoubleFunction<LocalisationQuality> value,
      String unit,
      String description) {
    register.accept(
        Gauge.builder(
                name,
                () -> {
                  LocalisationQuality quality = newest;
                  return quality == null ? Double.NaN : value.applyAsDouble(quality);
                })
            .baseUnit(unit.isEmpty() ? null : unit)
            .description(description),
        tags);
  }

  /** Shows a new quality. */
  void show(LocalisationQuality quality) {
    newest = quality;
  }
}
