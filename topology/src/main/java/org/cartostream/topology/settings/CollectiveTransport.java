package org.cartostream.topology.settings;

import java.util.Locale;

/** The transport of the collectives in {@link ResamplingMode#BSP}. */
public enum CollectiveTransport {
  /** The heap: all tasks are in one process. */
  MEMORY,

  /** Connections between the tasks, which find each other through Storm's ZooKeeper. */
  TCP,

  /** The broker. */
  RABBITMQ;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
