package org.cartostream.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.cartostream.slam.transfer.ParticleTransfer;

/**
 * Particles that come to a task when a run begins again in its middle, until all are there. They
 * may come before the word that says which.
 *
 * <p>The run may begin again once more before the particles have come that were announced, with a
 * new dispatcher or because some of them were lost, too; they are of no use then. Owns the
 * particles.
 */
final class Nursery {

  private final int task;
  private final Map<Integer, Payload.Survivor> arrived = new TreeMap<>();
  private Payload.Rebirth rebirth;

  Nursery(int task) {
    this.task = task;
  }

  void expect(Payload.Rebirth word) {
    rebirth = word;
    arrived.values().removeIf(survivor -> survivor.round() != word.round());
  }

  /** True if that was said already, or something later. */
  boolean expects(Payload.Rebirth word) {
    return rebirth != null && rebirth.round() >= word.round();
  }

  /** True if what was said belongs to an earlier round. */
  boolean isOlderThan(long round) {
    return rebirth != null && rebirth.round() < round;
  }

  void receive(Payload.Survivor survivor) {
    if (rebirth == null || rebirth.round() == survivor.round()) {
      arrived.put(survivor.parcel().parent(), survivor);
    }
  }

  /** What was said; null until then. */
  Payload.Rebirth rebirth() {
    return rebirth;
  }

  /** True if all that were announced are there. */
  boolean isComplete() {
    return rebirth != null && missing().length == 0;
  }

  /** The numbers of those that were announced and are not there. */
  int[] missing() {
    return IntStream.range(0, rebirth.parents().length)
        .filter(copy -> rebirth.owners()[copy] == task)
        .map(copy -> rebirth.parents()[copy])
        .filter(parent -> !arrived.containsKey(parent))
        .distinct()
        .toArray();
  }

  /** The particles, by their number. */
  List<ParticleTransfer> take() {
    List<ParticleTransfer> particleTransfers = new ArrayList<>();
    arrived.values().forEach(survivor -> particleTransfers.add(survivor.parcel()));
    return particleTransfers;
  }
}
