package org.cartostream.topology.settings;

import java.util.Locale;

/** The transport of the collectives in {@link ResamplingMode#BSP}. */
public enum CollectiveTransport {
  /** The heap of the process, if all tasks are in one process. */
  MEMORY,

  /** TCP connections between the tasks, which find each other through Storm's ZooKeeper. */
  TCP,

  /** The service's RabbitMQ broker. */
  RABBITMQ;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
