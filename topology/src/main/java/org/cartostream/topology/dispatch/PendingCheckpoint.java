package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
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
  private final List<Part> shared = new ArrayList<>();

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
   * @param beside shared parts that go with it
   * @return true if with it all are
   */
  boolean add(Part part, Part[] beside) {
    if (parts.putIfAbsent(part.name(), part) != null) {
      return false;
    }
    shared.addAll(List.of(beside));
    return parts.keySet().equals(names);
  }

  /** With the shared ones. */
  Part[] parts() {
    return Stream.concat(parts.values().stream(), shared.stream()).toArray(Part[]::new);
  }
}
