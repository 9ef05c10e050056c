package org.cartostream.bench.collectives;

/** Implementation of collectives that is compared, with the place in which its members run. */
public enum Implementation {
  MEMORY("memory", "threads"),
  TCP_THREADS("tcp", "threads"),
  TCP_JVMS("tcp", "JVMs"),
  SHARED_MEMORY_JVMS("shared-memory", "JVMs"),
  UNIX_SOCKETS_JVMS("Unix sockets", "JVMs"),
  RABBITMQ("rabbitmq", "threads"),
  MPJ_THREADS("MPJ Express", "threads"),
  MPJ_JVMS("MPJ Express", "JVMs");

  private final String channel;
  private final String place;

  Implementation(String channel, String place) {
    this.channel = channel;
    this.place = place;
  }

  /** Returns the name of the channel, for people. */
  public String channel() {
    return channel;
  }

  /** Returns the place of each member: a thread or a JVM. */
  public String place() {
    return place;
  }

  /** Returns true for MPJ Express. */
  public boolean isMpj() {
    return this == MPJ_THREADS || this == MPJ_JVMS;
  }

  boolean inJvms() {
    return place.equals("JVMs");
  }
}
