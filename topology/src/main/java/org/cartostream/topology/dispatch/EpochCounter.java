package org.cartostream.topology.dispatch;

/**
 * Counter of one dispatcher's recovery epochs, which are greater than the epochs of all earlier
 * dispatchers of the service.
 */
final class EpochCounter {

  /** Number of epochs that may begin with one dispatcher. */
  private static final long EPOCHS_PER_TERM = 1L << 32;

  private final long term;
  private long next;

  /**
   * @param term the dispatcher's fencing token, greater than those of earlier dispatchers
   */
  EpochCounter(long term) {
    this.term = term;
    next = term * EPOCHS_PER_TERM;
  }

  /** Returns the next epoch. */
  long next() {
    return next++;
  }

  /**
   * Returns the next epoch of a run that goes on from a checkpoint. If another service took the
   * checkpoint, its epoch may be greater than those of this dispatcher; then the count jumps beyond
   * it. An epoch of this service's own is smaller anyway, and must not make the count jump: the
   * next dispatcher might not find that checkpoint, and would begin the same epochs again.
   *
   * @param foundEpoch epoch of the checkpoint; 0 for none
   */
  long nextAfter(long foundEpoch) {
    if (foundEpoch >= next) {
      next = Math.max(next, (foundEpoch / EPOCHS_PER_TERM + term) * EPOCHS_PER_TERM);
    }
    return next();
  }
}
