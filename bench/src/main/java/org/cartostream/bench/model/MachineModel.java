package org.cartostream.bench.model;

/**
 * Model of the machine that a service runs on.
 *
 * @param cores number of cores that the service's threads share
 * @param together speed of each core while all compute, over that of a core that computes alone
 * @param besidesNanos computing time of all else for each reading: broker, gateway, compiler,
 *     garbage collector
 * @param hop cost of a message from one of the topology's tasks to another, as Storm carries it
 * @param collective cost of one message of a collective call between two tasks
 * @param played true if the tasks' matching and map updates take their time without a core, as
 *     played ones do
 */
public record MachineModel(
    int cores,
    double together,
    double besidesNanos,
    MessageCost hop,
    MessageCost collective,
    boolean played) {

  /** Creates a machine whose tasks compute. */
  public MachineModel(
      int cores, double together, double besidesNanos, MessageCost hop, MessageCost collective) {
    this(cores, together, besidesNanos, hop, collective, false);
  }
}
