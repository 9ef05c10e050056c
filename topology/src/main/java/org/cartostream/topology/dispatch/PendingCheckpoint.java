package org.cartostream.topology.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;

/**
 * A checkpoint of one run whose parts are being stored. Of a run whose matchers have let go of it,
 * their parts of the checkpoint before are taken over as they are.
 *
 * <p>Owns the parts that are stored.
 */
final class PendingCheckpoint {

  /** By this the dispatcher reports to itself that a checkpoint is stored as a whole. */
  static final Part MANIFEST = new Part("manifest", 0, "", false);

  private final long reading;
  private final long since;
  private final byte[] dispatcherState;
  private final Set<String> names;
  private final Map<String, Part> parts = new TreeMap<>();
  private final List<Part> shared = new ArrayList<>();

  /** Of the checkpoint before, and that. */
  private final List<Part> kept = new ArrayList<>();

  private Cut before;

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
    this.names = new TreeSet<>(names);
  }

  /** Takes over all parts of the checkpoint before but those that are stored anew. */
  void keep(Cut cut, Part[] all) {
    Set<String> anew = Set.copyOf(names);
    before = cut;
    for (Part part : all) {
      String owner = part.name().split("\\.")[0];
      if (anew.contains(owner)) {
        continue;
      }
      if (part.shared()) {
        shared.add(part);
      } else {
        kept.add(part);
        parts.put(part.name(), part);
        names.add(part.name());
      }
    }
  }

  /**
   * Keeps the parts that are taken over, then commits the manifest. Blocks as long as the store.
   *
   * @return the result, for the dispatcher
   */
  Payload.Stored commit(Run run, Manifest manifest, CheckpointStore store) {
    String failure = "";
    try {
      for (Part part : kept) {
        store.keep(before, part, manifest.cut());
      }
      store.commit(manifest);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failure = e.toString();
    }
    return new Payload.Stored(run, reading, MANIFEST, new Part[0], 0, failure);
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
