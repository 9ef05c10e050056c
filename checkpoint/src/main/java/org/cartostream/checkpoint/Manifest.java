package org.cartostream.checkpoint;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The manifest of a checkpoint, which lists its parts. It is stored last and atomically: a
 * checkpoint without a manifest does not count.
 *
 * @param id identifier of the checkpoint
 * @param release release of the program that wrote the checkpoint
 * @param identity settings and log by key, which must be equal when the run goes on
 * @param parts states of all components, after the same reading and of the same epoch
 * @param readings number of the latest reading that the run had received when the manifest was
 *     written
 * @param ended true if the run had received its last reading by then
 */
public record Manifest(
    @JsonProperty("cut") CheckpointId id,
    String release,
    SortedMap<String, String> identity,
    List<CheckpointPart> parts,
    long readings,
    boolean ended) {

  /** Checks that no component is null, as in a manifest from an untrusted file. */
  public Manifest {
    Objects.requireNonNull(id);
    identity = new TreeMap<>(Map.copyOf(identity));
    parts = List.copyOf(parts);
  }

  /** Makes the manifest of a run that has not ended. */
  public Manifest(
      CheckpointId id,
      String release,
      SortedMap<String, String> identity,
      List<CheckpointPart> parts) {
    this(id, release, identity, parts, id.reading(), false);
  }

  /**
   * Returns this manifest with the note that the run has ended with reading number {@code
   * lastReading}.
   */
  public Manifest ofEnded(long lastReading) {
    return new Manifest(id, release, identity, parts, lastReading, true);
  }

  /** Returns true if the checkpoint is known to be of the end of its run. */
  public boolean hasAll() {
    return ended && id.reading() == readings;
  }

  /** Returns the checkpoint's reading, and whether that is its run's last, for people. */
  public String place() {
    String doubt = ended ? ", not its end" : ", which is not known to be its end";
    return "reading %d%s of '%s'%s"
        .formatted(id.reading(), ended ? " of " + readings : "", id.run(), hasAll() ? "" : doubt);
  }

  /**
   * Returns the part of a name.
   *
   * @throws CheckpointException if there is none
   */
  public CheckpointPart part(String name) throws CheckpointException {
    for (CheckpointPart part : parts) {
      if (part.name().equals(name)) {
        return part;
      }
    }
    throw new CheckpointException(
        "%s has no part '%s'; it has %s"
            .formatted(
                id,
                name,
                StateCodec.shown(parts.stream().map(CheckpointPart::name).toList().toString())));
  }

  /**
   * Checks that a run may go on from this checkpoint.
   *
   * @param wanted the run's own settings and log by key, which must equal {@link #identity}
   * @throws CheckpointException naming every key whose value differs
   */
  public void checkIdentity(Map<String, String> wanted) throws CheckpointException {
    TreeMap<String, String> differences = new TreeMap<>();
    wanted.forEach(
        (key, value) -> {
          String before = identity.get(key);
          if (!value.equals(before)) {
            differences.put(
                key, before == null ? "is not in it" : "was " + StateCodec.shown(before));
            differences.computeIfPresent(key, (same, what) -> what + " and is " + value + " now");
          }
        });
    identity.forEach(
        (key, before) -> {
          if (!wanted.containsKey(key)) {
            String was = "was " + StateCodec.shown(before) + " and is gone";
            differences.put(StateCodec.shown(key), was);
          }
        });
    if (!differences.isEmpty()) {
      StringBuilder sentence = new StringBuilder();
      differences.forEach(
          (key, what) -> sentence.append(sentence.isEmpty() ? "" : "; ").append(key + " " + what));
      throw new CheckpointException(
          "the run cannot go on from the " + id + ", for it was another run: " + sentence);
    }
  }
}
