package org.cartostream.checkpoint;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.settings.file.PrintableText;

/**
 * The manifest of a checkpoint: names its parts. It is committed last and as a whole: a checkpoint
 * without one does not count.
 *
 * @param id the run, and the reading after which it is
 * @param release of the program that wrote it
 * @param identity what must be the same where the run goes on: settings, log; key to value
 * @param parts each of this cut's epoch
 * @param readings number of the run's last reading, as far as it had come when this was written
 * @param ended true if the run had come to its end then
 */
public record Manifest(
    @JsonProperty("cut") CheckpointId id,
    String release,
    SortedMap<String, String> identity,
    List<CheckpointPart> parts,
    long readings,
    boolean ended) {

  /** Throws NullPointerException if something is missing: it may be a stranger's. */
  public Manifest {
    Objects.requireNonNull(id);
    identity = new TreeMap<>(Map.copyOf(identity));
    parts = List.copyOf(parts);
  }

  /** Creates one of a run that goes on. */
  public Manifest(
      CheckpointId id,
      String release,
      SortedMap<String, String> identity,
      List<CheckpointPart> parts) {
    this(id, release, identity, parts, id.reading(), false);
  }

  /** Returns this manifest of a run that has ended, with the reading of this number. */
  public Manifest ofEnded(long lastReading) {
    return new Manifest(id, release, identity, parts, lastReading, true);
  }

  /** True if it is known to be of the end of its run. */
  public boolean hasAll() {
    return ended && id.reading() == readings;
  }

  /** Returns the reading after which it is, and whether that is its run's last, for people. */
  public String place() {
    String doubt = ended ? ", not its end" : ", which is not known to be its end";
    return "reading %d%s of '%s'%s"
        .formatted(id.reading(), ended ? " of " + readings : "", id.run(), hasAll() ? "" : doubt);
  }

  /** The part of a component. */
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
                PrintableText.of(
                    parts.stream().map(CheckpointPart::name).toList().toString(),
                    StateCodec.MAX_SHOWN)));
  }

  /**
   * Checks that a run may go on from here.
   *
   * @param wanted what {@link #identity} is to be
   * @throws CheckpointException naming every key whose value differs
   */
  public void checkIdentity(Map<String, String> wanted) throws CheckpointException {
    TreeMap<String, String> differences = new TreeMap<>();
    wanted.forEach(
        (key, value) -> {
          String before = identity.get(key);
          if (!value.equals(before)) {
            differences.put(
                key,
                before == null
                    ? "is not in it"
                    : "was " + PrintableText.of(before, StateCodec.MAX_SHOWN));
            differences.computeIfPresent(key, (same, what) -> what + " and is " + value + " now");
          }
        });
    identity.forEach(
        (key, before) -> {
          if (!wanted.containsKey(key)) {
            String was = "was " + PrintableText.of(before, StateCodec.MAX_SHOWN) + " and is gone";
            differences.put(PrintableText.of(key), was);
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
