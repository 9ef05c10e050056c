package org.cartostream.bench.scale;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.cartostream.topology.settings.CollectiveTransport;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * One way to run a log on tasks.
 *
 * @param particles of the filter
 * @param variant of the filter
 * @param mode how the tasks decide
 * @param transport of their messages in bsp; null in dataflow, where Storm carries all
 * @param tasks how many
 */
public record ScaleCase(
    int particles, Variant variant, ResamplingMode mode, CollectiveTransport transport, int tasks) {

  /**
   * A filter with something else than the configuration's.
   *
   * @param name for people; empty for the configuration as it is
   * @param settings by key
   */
  public record Variant(String name, Map<String, String> settings) {

    public static final Variant PLAIN = new Variant("", Map.of());

    /** Resampled at every reading, as in the thesis' figure 5.8. */
    public static final Variant FORCED = new Variant("forced", Map.of("slam.resampleBelow", "1"));

    /** Variant that does not work ahead: a task that is faster waits idly. */
    public static final Variant IDLE = new Variant("idle", Map.of("topology.workAhead", "false"));

    /** A bound of the work for the dearest particle, as in the thesis' figures 5.7 and 5.9. */
    public static Variant cutoff(int evaluations) {
      return new Variant(
          "cutoff " + evaluations,
          Map.of("slam.matcher.maxEvaluations", Integer.toString(evaluations)));
    }
  }

  /** The settings that make it this case. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(variant.settings());
    settings.put("slam.particles", Integer.toString(particles));
    settings.put("topology.tasks", Integer.toString(tasks));
    settings.put("topology.mode", mode.name());
    if (transport != null) {
      settings.put("topology.collectiveTransport", transport.name());
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

  /** ResamplingMode and transport. */
  String modeName() {
    return transport == null ? mode.toString() : mode + " " + transport;
  }

  /** Everything but the number of tasks. */
  String name() {
    return String.format(
        Locale.ROOT,
        "%s, %d p%s",
        modeName(),
        particles,
        variant.name().isEmpty() ? "" : ", " + variant.name());
  }
}
