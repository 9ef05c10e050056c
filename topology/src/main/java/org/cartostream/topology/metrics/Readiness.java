package org.cartostream.topology.metrics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Readiness of one part of this process, for the health check of {@link StatusServer}: the process
 * is ready while all of its parts are. A part is not ready at first, and is removed when closed.
 * Thread-safe.
 */
public final class Readiness implements AutoCloseable {

  private static final Set<Readiness> ALL = ConcurrentHashMap.newKeySet();

  private final String part;
  private volatile boolean isReady;

  /**
   * @param part name of the part, in the letters a-z and _; if several parts have one name, all
   *     have to be ready
   */
  public Readiness(String part) {
    this.part = part;
    ALL.add(this);
  }

  public void set(boolean ready) {
    isReady = ready;
  }

  /** Returns the readiness of this process's parts, by their names. */
  static Map<String, Boolean> byPart() {
    Map<String, Boolean> all = new TreeMap<>();
    ALL.forEach(each -> all.merge(each.part, each.isReady, Boolean::logicalAnd));
    return all;
  }

  @Override
  public void close() {
    ALL.remove(this);
  }
}
