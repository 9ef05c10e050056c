package org.cartostream.cli.options;

import java.util.Map;
import picocli.CommandLine.Option;

/** Options for the size of a service's filters. */
public final class FilterSizeOptions {

  @Option(
      names = "--particles",
      paramLabel = "N",
      description = "Particles of each robot's filter (slam.particles).")
  private String particles;

  @Option(
      names = "--tasks",
      paramLabel = "M",
      description = "Tasks that share a robot's particles%n(topology.tasks).")
  private String tasks;

  /**
   * Adds the options' values by the keys of their settings; null for options that were not given.
   */
  public void addTo(Map<String, String> flags) {
    flags.put("slam.particles", particles);
    flags.put("topology.tasks", tasks);
  }
}
