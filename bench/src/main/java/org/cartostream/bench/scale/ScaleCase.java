package org.cartostream.bench.scale;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * Case of the measurement: one way to run a log on tasks.
 *
 * @param particles number of the filter's particles
 * @param variant variant of the filter
 * @param mode mode in which the tasks decide on resampling
 * @param transport transport of the tasks' messages in bsp; null in dataflow, where Storm carries
 *     all messages
 * @param tasks number of tasks
 */
public record ScaleCase(
    int particles, Variant variant, ResamplingMode mode, String transport, int tasks) {

  /**
   * Variant of the filter, with other settings than the configuration's.
   *
   * @param name name for people; empty for the configuration as it is
   * @param settings changed settings by key
   */
  public record Variant(String name, Map<String, String> settings) {

    public static final Variant PLAIN = new Variant("", Map.of());

    /** Variant that resamples at every reading. */
    public static final Variant FORCED = new Variant("forced", Map.of("slam.resampleBelow", "1"));

    /** Variant that does not work ahead: a task that is faster waits idly. */
    public static final Variant IDLE = new Variant("idle", Map.of("topology.workAhead", "false"));

    /** Returns a variant with a bound of the work for the slowest particle. */
    public static Variant cutoff(int evaluations) {
      return new Variant(
          "cutoff " + evaluations,
          Map.of("slam.matcher.maxEvaluations", Integer.toString(evaluations)));
    }
  }

  /** Returns the settings by which a run is this case. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(variant.settings());
    settings.put("slam.particles", Integer.toString(particles));
    settings.put("topology.tasks", Integer.toString(tasks));
    settings.put("topology.mode", mode.name());
    if (transport != null) {
      settings.put("topology.collectiveTransport", transport);
    }
    return settings;
  }

  /** Returns a copy with another number of tasks. */
  ScaleCase withTasks(int otherTasks) {
    return new ScaleCase(particles, variant, mode, transport, otherTasks);
  }

  /** Returns a copy with another variant of the filter. */
  ScaleCase withVariant(Variant other) {
    return new ScaleCase(particles, other, mode, transport, tasks);
  }

  /** Returns mode and transport, for people. */
  String modeName() {
    return transport == null ? mode.toString() : mode + " " + transport;
  }

  /** Returns everything but the number of tasks, for people. */
  String name() {
    return String.format(
        Locale.ROOT,
        "%s, %d p%s",
        modeName(),
        particles,
        variant.name().isEmpty() ? "" : ", " + variant.name());
  }
}
