package org.cartostream.topology.match;

import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.topology.stream.WeightReport;

/**
 * Exchange between one run's tasks: of their particles' weights, and of particles that move to
 * another task. The results reach the {@link PartitionWorker} by {@link
 * PartitionWorker#applyDecision} and {@link PartitionWorker#receive}.
 */
interface ParticleExchange {

  /** Sends this task's weights to all tasks, or to the resampler, which decides for all tasks. */
  void sendWeights(WeightReport weightReport);

  /** Sends a particle to another task, at once or with {@link #allSent}. */
  void send(ParticleMove particleMove, ParticleTransfer particleTransfer);

  /**
   * Ends the sending after a key frame: no more particles follow.
   *
   * @param sequence number of the key frame
   * @param all moves of all tasks
   */
  void allSent(long sequence, ParticleMove[] all);
}
