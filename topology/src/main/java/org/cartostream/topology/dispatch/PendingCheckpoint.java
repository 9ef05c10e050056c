package org.cartostream.topology.dispatch;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.cartostream.checkpoint.Part;

/**
 * A checkpoint of one run whose parts are being stored.
 *
 * <p>Owns the parts that are.
 */
final class PendingCheckpoint {

  private final long reading;
  private final long since;
  private final byte[] dispatcherState;
  private final Set<String> names;
  private final Map<String, Part> parts = new TreeMap<>();

  /**
   * @param reading the last one in it
   * @param since when it was begun, by the dispatcher's clock
   * @param dispatcherState the dispatcher's own part
   * @param names of all parts
   */
  PendingCheckpoint(long reading, long since, byte[] dispatcherState, Set<String> names) {
    this.reading = reading;
    this.since = since;
    this.dispatcherState = dispatcherState;
    this.names = names;
  }

  long reading() {
    return reading;
  }

  long since() {
    return since;
  }

  byte[] dispatcherState() {
    return dispatcherState;
  }

  /**
   * A part is stored.
   *
   * @return true if with it all are
   */
  boolean add(Part part) {
    return parts.putIfAbsent(part.name(), part) == null && parts.keySet().equals(names);
  }

  Part[] parts() {
    return parts.values().toArray(Part[]::new);
  }
}
