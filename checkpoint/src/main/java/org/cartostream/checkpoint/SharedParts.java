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
 * Writer and reader of the contents beside states ({@link StateCodec.Content}), each stored once
 * for all checkpoints of its run. Safe for use by many threads.
 */
public final class SharedParts {

  private final CheckpointStore store;

  /** Parts that are stored already, by the object that owns the content. */
  private final Map<Object, CheckpointPart> stored =
      Collections.synchronizedMap(new WeakHashMap<>());

  public SharedParts(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Stores those of a state's contents that are not stored yet.
   *
   * @param part name of the state's part
   * @return the parts of all {@code contents}, in their order
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

  /**
   * Returns the name of a content's part.
   *
   * @param part name of the state's part
   * @param number number of the content beside that state, from 0
   */
  public static String name(String part, int number) {
    return part + "." + number;
  }

  /**
   * Reads the state of a component from a checkpoint, with the contents beside the state.
   *
   * @param part name of the state's part
   */
  public static <T> T read(CheckpointStore store, Manifest manifest, String part, Class<T> type)
      throws IOException {
    StateCodec.ContentReader reader =
        number -> store.read(manifest.id(), manifest.part(name(part, number)));
    return StateCodec.decode(store.read(manifest.id(), manifest.part(part)), type, reader);
  }
}
