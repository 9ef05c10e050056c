package org.cartostream.topology;

import org.cartostream.slam.transfer.ParticleMove;
import org.cartostream.slam.transfer.ParticleTransfer;

/**
 * How one run's particles on this task are weighed against the others', and how they change tasks.
 * What comes of it reaches the {@link PartitionWorker} by {@link PartitionWorker#applyDecision} and
 * {@link PartitionWorker#receive}.
 */
interface ParticleExchange {

  /** Lets all tasks, or whoever decides for them, know what this task's particles believe. */
  void sendWeights(WeightReport weightReport, boolean first);

  /** Sends a particle to another task; not before {@link #allSent}, perhaps. */
  void send(ParticleMove particleMove, ParticleTransfer particleTransfer);

  /**
   * All that this task has to send after a key frame was given.
   *
   * @param all moves of all tasks
   */
  void allSent(long sequence, ParticleMove[] all);
}
