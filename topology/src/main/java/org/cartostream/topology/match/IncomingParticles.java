package org.cartostream.topology.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;

/**
 * Buffer of the particles that move to a task after a resampling decision, until all have arrived.
 * Particles may come before the decision, and are taken out in the order of its moves, whatever the
 * order of arrival.
 */
final class IncomingParticles {

  private final Map<Integer, ParticleTransfer> arrived = new HashMap<>();
  private final List<ParticleMove> expected = new ArrayList<>();

  /** Notes that the decision moves a particle to this task. */
  void expect(ParticleMove particleMove) {
    expected.add(particleMove);
  }

  /** Adds a particle that has come; of several with the same parent, the first counts. */
  void add(ParticleTransfer particleTransfer) {
    arrived.putIfAbsent(particleTransfer.parent(), particleTransfer);
  }

  /** Returns true if the decision moves any particles to this task. */
  boolean areSome() {
    return !expected.isEmpty();
  }

  /** Returns true if all particles that the decision moves to this task are here. */
  boolean areThere() {
    return arrived.size() >= expected.size();
  }

  /** Takes out all particles, in the order of the moves. */
  List<ParticleTransfer> take() {
    List<ParticleTransfer> all =
        expected.stream().map(particleMove -> arrived.get(particleMove.parent())).toList();
    expected.clear();
    arrived.clear();
    return all;
  }
}
