package org.cartostream.topology.dispatch;

/**
 * Counter of one dispatcher's recovery epochs, which are greater than those of all dispatchers
 * before it.
 */
final class EpochCounter {

  /** Number of epochs that may begin with one dispatcher. */
  private static final long EPOCHS_PER_TERM = 1L << 32;

  private final long term;
  private long next;

  /**
   * @param term the dispatcher's fencing token: epochs come after those of earlier terms
   */
  EpochCounter(long term) {
    this.term = term;
    next = term * EPOCHS_PER_TERM;
  }

  /** The next epoch. */
  long next() {
    return next++;
  }

  /**
   * The next epoch of a run that goes on from a checkpoint. This may be of an earlier service,
   * whose dispatchers counted by themselves: then it goes on behind that. Not behind one of this
   * service's own, which is of an earlier epoch: the next dispatcher, which need not find it, would
   * begin the same epochs again.
   *
   * @param foundEpoch of the checkpoint that was found; 0 for none
   */
  long nextAfter(long foundEpoch) {
    if (foundEpoch >= next) {
      next = Math.max(next, (foundEpoch / EPOCHS_PER_TERM + term) * EPOCHS_PER_TERM);
    }
    return next();
  }
}
