package org.cartostream.topology.dispatch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;

/**
 * A checkpoint of one run while its parts are being stored. If the matchers have released the
 * particles of a refused run, their parts of the previous checkpoint are taken over unchanged.
 *
 * <p>Owns the list of stored parts. The checkpoint becomes a {@link RestorePoint} when all parts,
 * and then its manifest, are stored.
 */
final class PendingCheckpoint {

  /**
   * Stands for a part in the message by which the dispatcher learns that the manifest is stored.
   */
  static final CheckpointPart MANIFEST = new CheckpointPart("manifest", 0, "", false);

  private final Run run;
  private final long reading;
  private final long since;
  private final byte[] dispatcherState;
  private final PackedMap knownMap;
  private final Set<String> names;
  private final Map<String, CheckpointPart> parts = new TreeMap<>();
  private final List<CheckpointPart> shared = new ArrayList<>();

  /** Parts that are taken over from the previous checkpoint. */
  private final List<CheckpointPart> kept = new ArrayList<>();

  private CheckpointId before;

  /**
   * @param run the run, in the epoch of the checkpoint
   * @param reading number of the last reading in the checkpoint
   * @param dispatcherState the dispatcher's own part
   * @param knownMap map in which the robot is localised; null if the robot makes its map
   * @param names names of the parts that are stored anew
   * @param since time at which the checkpoint was begun, by the dispatcher's clock
   */
  PendingCheckpoint(
      Run run,
      long reading,
      byte[] dispatcherState,
      PackedMap knownMap,
      Set<String> names,
      long since) {
    this.run = run;
    this.reading = reading;
    this.dispatcherState = dispatcherState;
    this.knownMap = knownMap;
    this.names = new TreeSet<>(names);
    this.since = since;
  }

  /** Takes over all parts of the previous checkpoint except those that are stored anew. */
  void keep(RestorePoint point) {
    Set<String> anew = Set.copyOf(names);
    before = point.id(run);
    for (CheckpointPart part : point.parts()) {
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
   * Notes that a part is stored.
   *
   * @param beside shared parts that go with that part
   * @return true if all parts are stored now
   */
  boolean add(CheckpointPart part, CheckpointPart[] beside) {
    if (parts.putIfAbsent(part.name(), part) != null) {
      return false;
    }
    shared.addAll(List.of(beside));
    return parts.keySet().equals(names);
  }

  /** Returns the restore point that this checkpoint becomes once its manifest is stored. */
  RestorePoint point() {
    CheckpointPart[] all =
        Stream.concat(parts.values().stream(), shared.stream()).toArray(CheckpointPart[]::new);
    return new RestorePoint(run.epoch(), reading, all, dispatcherState, knownMap);
  }

  /**
   * Stores the parts that are taken over for this checkpoint, too, then commits the manifest.
   * Blocks as long as the store does.
   *
   * @return message with the result, for the dispatcher
   */
  Payload.Stored commit(Manifest manifest, CheckpointStore store) {
    String failure = "";
    try {
      for (CheckpointPart part : kept) {
        store.keep(before, part, manifest.id());
      }
      store.commit(manifest);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failure = e instanceof IOException ? e.getMessage() : e.toString();
    }
    return new Payload.Stored(run, reading, MANIFEST, new CheckpointPart[0], 0, failure);
  }

  /** Returns true if a message is about this checkpoint. */
  boolean isOf(Payload.Stored message) {
    return message.reading() == reading;
  }

  /** Returns the nanoseconds since the checkpoint was begun. */
  long nanos(long now) {
    return now - since;
  }
}
