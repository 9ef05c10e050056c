package org.cartostream.topology.metrics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether a part of this process does its work, as {@link StatusServer} says it: the process is
 * ready while all its parts are. A part is not ready at first, and is none any more once it is
 * closed. Any thread may call it.
 */
public final class Readiness implements AutoCloseable {

  private static final Set<Readiness> ALL = ConcurrentHashMap.newKeySet();

  private final String part;
  private volatile boolean isReady;

  /**
   * @param part a word of a-z and _; if there are several of one name all have to be ready
   */
  public Readiness(String part) {
    this.part = part;
    ALL.add(this);
  }

  public void set(boolean ready) {
    isReady = ready;
  }

  /** The parts of this process, and which of them are ready. */
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
