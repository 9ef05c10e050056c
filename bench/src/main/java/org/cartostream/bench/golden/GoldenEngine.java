package org.cartostream.bench.golden;

import java.util.Locale;
import java.util.Map;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * Engine, with its mode and number of tasks, that computes an answer; all must give the same one.
 */
enum GoldenEngine {
  /** The filter alone, in one thread. */
  SERIAL(null, 1),
  DATAFLOW_1(ResamplingMode.DATAFLOW, 1),
  DATAFLOW_4(ResamplingMode.DATAFLOW, 4),
  BSP_4(ResamplingMode.BSP, 4);

  private final ResamplingMode mode;
  private final int tasks;

  /**
   * @param mode mode of the topology; null without a topology
   * @param tasks number of tasks that share the particles
   */
  GoldenEngine(ResamplingMode mode, int tasks) {
    this.mode = mode;
    this.tasks = tasks;
  }

  /** Returns true if the engine needs broker and Storm. */
  boolean isTopology() {
    return mode != null;
  }

  int tasks() {
    return tasks;
  }

  /** Returns the settings with which this engine runs. */
  Map<String, String> settings() {
    return isTopology()
        ? Map.of(
            "topology.mode",
            mode.name().toLowerCase(Locale.ROOT),
            "topology.tasks",
            Integer.toString(tasks))
        : Map.of();
  }

  /** Returns the name for folders and services, and for people: {@code bsp-4}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
