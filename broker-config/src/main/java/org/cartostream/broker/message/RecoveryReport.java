package org.cartostream.broker.message;

/**
 * How often a run was restored after a failure, and what that cost.
 *
 * @param times how often
 * @param reading the last one in the checkpoint from which the run went on the last time; 0 for the
 *     beginning
 * @param replayed readings that were processed again, all times together. Those that a broker
 *     delivers again to a dispatcher that takes a dead one's place do not count
 * @param nanos from when a failure was noticed until the run had come as far again, or a dispatcher
 *     that takes a dead one's place had its first reading processed; all times together
 */
public record RecoveryReport(long times, long reading, long replayed, long nanos) {

  public static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0);

  /** With one time more. */
  public RecoveryReport and(long fromReading, long again) {
    return new RecoveryReport(times + 1, fromReading, replayed + again, nanos);
  }

  /** The latest time took so long. */
  public RecoveryReport took(long more) {
    return new RecoveryReport(times, reading, replayed, nanos + more);
  }
}
