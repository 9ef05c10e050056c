package org.cartostream.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Store of the contents beside states ({@link StateCodec.Content}), each kept once for all
 * checkpoints of its run. Safe for use by many threads.
 */
public final class SharedParts {

  private final CheckpointStore store;

  /** The parts that are stored already, by the object whose content each is. */
  private final Map<Object, CheckpointPart> stored =
      Collections.synchronizedMap(new WeakHashMap<>());

  public SharedParts(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Stores those that are not yet.
   *
   * @param part the state's own
   */
  public List<CheckpointPart> write(String run, String part, List<StateCodec.Content> contents)
      throws IOException {
    List<CheckpointPart> before = contents.stream().map(each -> stored.get(each.owner())).toList();
    Set<CheckpointPart> held = store.held(run, before.stream().filter(Objects::nonNull).toList());
    List<CheckpointPart> parts = new ArrayList<>();
    for (StateCodec.Content content : contents) {
      String name = name(part, parts.size());
      CheckpointPart known = before.get(parts.size());
      if (known == null || !known.name().equals(name) || !held.contains(known)) {
        known = store.writeShared(run, name, ByteBuffer.wrap(content.bytes()));
        stored.put(content.owner(), known);
      }
      parts.add(known);
    }
    return parts;
  }

  /** The name of a content beside a state. */
  public static String name(String part, int number) {
    return part + "." + number;
  }

  /**
   * A state of a store's checkpoint, with the contents beside it.
   *
   * @param part the state's own
   */
  public static <T> T read(CheckpointStore store, Manifest manifest, String part, Class<T> type)
      throws IOException {
    StateCodec.ContentReader reader =
        number -> store.read(manifest.id(), manifest.part(name(part, number)));
    return StateCodec.decode(store.read(manifest.id(), manifest.part(part)), type, reader);
  }
}
