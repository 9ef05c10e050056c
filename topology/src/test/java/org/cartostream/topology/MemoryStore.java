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
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.checkpoint.StateCodec;

/** Checkpoints in memory: what is stored outlives the tasks of a {@link Network}. */
final class MemoryStore implements CheckpointStore {

  private record Key(Cut cut, String part) {}

  private final Map<Key, byte[]> parts = new HashMap<>();
  private final Map<String, byte[]> besideCheckpoints = new HashMap<>();
  private final List<String> beside = new ArrayList<>();
  private final Map<String, TreeMap<Cut, Manifest>> manifests = new HashMap<>();

  @Override
  public Part write(Cut cut, String name, ByteBuffer... content) {
    byte[] bytes = new StateCodec.Encoded(content, List.of()).bytes();
    parts.put(new Key(cut, name), bytes);
    return new Part(name, bytes.length, "", false);
  }

  @Override
  public Part writeShared(String run, String name, ByteBuffer content) {
    write(shared(run), name, content);
    return new Part(name, content.remaining(), "", true);
  }

  @Override
  public Set<Part> held(String run, Collection<Part> shared) {
    return shared.stream()
        .filter(part -> parts.containsKey(new Key(shared(run), part.name())))
        .collect(Collectors.toSet());
  }

  private static Cut shared(String run) {
    return new Cut(run, Long.MAX_VALUE, 0);
  }

  @Override
  public void keep(Cut from, Part part, Cut to) throws CheckpointException {
    parts.put(new Key(to, part.name()), read(from, part));
  }

  @Override
  public void commit(Manifest manifest) {
    manifests
        .computeIfAbsent(manifest.cut().run(), run -> new TreeMap<>())
        .put(manifest.cut(), manifest);
  }

  @Override
  public Optional<Manifest> latest(String run, Consumer<String> unusable) {
    TreeMap<Cut, Manifest> all = manifests.get(run);
    return all == null ? Optional.empty() : Optional.of(all.lastEntry().getValue());
  }

  @Override
  public byte[] read(Cut cut, Part part) throws CheckpointException {
    Cut of = part.shared() ? shared(cut.run()) : cut;
    byte[] bytes = parts.get(new Key(of, part.name()));
    if (bytes == null) {
      throw new CheckpointException(cut + " lacks " + part.name());
    }
    return bytes;
  }

  @Override
  public void deleteBefore(Cut cut) {
    parts
        .keySet()
        .removeIf(key -> key.cut().run().equals(cut.run()) && key.cut().compareTo(cut) < 0);
    manifests.get(cut.run()).headMap(cut).clear();
  }

  @Override
  public Instant written(Cut cut) {
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
    parts.keySet().removeIf(key -> key.cut().run().equals(run));
    besideCheckpoints.keySet().removeIf(key -> key.startsWith(run + "/"));
    manifests.remove(run);
  }
}
