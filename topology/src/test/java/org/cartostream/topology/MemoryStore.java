package org.cartostream.topology;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.StateCodec;

/** Checkpoints in memory: what is stored outlives the tasks of a {@link Network}. */
final class MemoryStore implements CheckpointStore {

  private record Key(CheckpointId id, String part) {}

  private final Map<Key, byte[]> parts = new HashMap<>();
  private final Map<String, byte[]> besideCheckpoints = new HashMap<>();
  private final List<String> beside = new ArrayList<>();
  private final Map<String, TreeMap<CheckpointId, Manifest>> manifests = new HashMap<>();

  @Override
  public CheckpointPart write(CheckpointId id, String name, ByteBuffer... content) {
    byte[] bytes = new StateCodec.Encoded(content, List.of()).bytes();
    parts.put(new Key(id, name), bytes);
    return new CheckpointPart(name, bytes.length, "", false);
  }

  @Override
  public CheckpointPart writeShared(String run, String name, ByteBuffer content) {
    write(shared(run), name, content);
    return new CheckpointPart(name, content.remaining(), "", true);
  }

  @Override
  public Set<CheckpointPart> held(String run, Collection<CheckpointPart> shared) {
    return shared.stream()
        .filter(part -> parts.containsKey(new Key(shared(run), part.name())))
        .collect(Collectors.toSet());
  }

  private static CheckpointId shared(String run) {
    return new CheckpointId(run, Long.MAX_VALUE, 0);
  }

  @Override
  public void keep(CheckpointId from, CheckpointPart part, CheckpointId to)
      throws CheckpointException {
    parts.put(new Key(to, part.name()), read(from, part));
  }

  @Override
  public void commit(Manifest manifest) {
    manifests
        .computeIfAbsent(manifest.id().run(), run -> new TreeMap<>())
        .put(manifest.id(), manifest);
  }

  @Override
  public Optional<Manifest> latest(String run, Consumer<String> unusable) {
    TreeMap<CheckpointId, Manifest> all = manifests.get(run);
    return all == null ? Optional.empty() : Optional.of(all.lastEntry().getValue());
  }

  @Override
  public byte[] read(CheckpointId id, CheckpointPart part) throws CheckpointException {
    CheckpointId of = part.shared() ? shared(id.run()) : id;
    byte[] bytes = parts.get(new Key(of, part.name()));
    if (bytes == null) {
      throw new CheckpointException(id + " lacks " + part.name());
    }
    return bytes;
  }

  @Override
  public void deleteBefore(CheckpointId id) {
    parts.keySet().removeIf(key -> key.id().run().equals(id.run()) && key.id().compareTo(id) < 0);
    manifests.get(id.run()).headMap(id).clear();
  }

  @Override
  public Instant written(CheckpointId id) {
    return Instant.EPOCH;
  }

  @Override
  public void writeBeside(String run, String file, ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    besideCheckpoints.put(run + "/" + file, bytes);
  }

  @Override
  public Optional<byte[]> readBeside(String run, String file) {
    return Optional.ofNullable(besideCheckpoints.get(run + "/" + file));
  }

  @Override
  public String putFile(String name, ByteBuffer content) {
    beside.add(name);
    return name;
  }

  @Override
  public List<String> filesBesideRuns() {
    return beside;
  }

  @Override
  public List<String> runs() {
    return List.copyOf(manifests.keySet());
  }

  @Override
  public void delete(String run) {
    parts.keySet().removeIf(key -> key.id().run().equals(run));
    besideCheckpoints.keySet().removeIf(key -> key.startsWith(run + "/"));
    manifests.remove(run);
  }
}
