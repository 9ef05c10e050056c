package org.cartostream.topology.match;

import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.topology.stream.WeightReport;

/**
 * Exchanges the weights of one run's particles on this task with the other tasks, and particles
 * that change tasks. The results reach the {@link PartitionWorker} by {@link
 * PartitionWorker#applyDecision} and {@link PartitionWorker#receive}.
 */
interface ParticleExchange {

  /** Sends this task's weights to all tasks, or to the one that decides for them. */
  void sendWeights(WeightReport weightReport);

  /** Sends a particle to another task; not before {@link #allSent}, perhaps. */
  void send(ParticleMove particleMove, ParticleTransfer particleTransfer);

  /**
   * All that this task has to send after a key frame was given.
   *
   * @param all moves of all tasks
   */
  void allSent(long sequence, ParticleMove[] all);
}
