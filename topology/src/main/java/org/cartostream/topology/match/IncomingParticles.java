package org.cartostream.topology.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;

/**
 * Buffer of the particles that move to a task after a decision, until all have arrived. They may
 * come before the decision, and are taken by the order of its moves, whatever the order of arrival.
 */
final class IncomingParticles {

  private final Map<Integer, ParticleTransfer> arrived = new HashMap<>();
  private final List<ParticleMove> expected = new ArrayList<>();

  /** The decision has a particle come here. */
  void expect(ParticleMove particleMove) {
    expected.add(particleMove);
  }

  /** One has come; the first one of its parent counts. */
  void add(ParticleTransfer particleTransfer) {
    arrived.putIfAbsent(particleTransfer.parent(), particleTransfer);
  }

  /** True if the decision has some come here. */
  boolean areSome() {
    return !expected.isEmpty();
  }

  /** True if all are here that the decision has come. */
  boolean areThere() {
    return arrived.size() >= expected.size();
  }

  /** Takes them, by the order of the moves. */
  List<ParticleTransfer> take() {
    List<ParticleTransfer> all =
        expected.stream().map(particleMove -> arrived.get(particleMove.parent())).toList();
    expected.clear();
    arrived.clear();
    return all;
  }
}
