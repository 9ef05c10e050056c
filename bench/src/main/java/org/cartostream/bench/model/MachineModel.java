package org.cartostream.bench.model;

/**
 * Model of the machine that a service runs on.
 *
 * @param cores that its threads share
 * @param together the speed of each core while all compute, over that of one alone
 * @param besidesNanos what its cores compute besides for each reading: broker, gateway, compiler,
 *     collector
 * @param hop what a message costs from one of the topology's tasks to another, as Storm carries it
 * @param collective what one part of a collective call costs between two tasks
 */
public record MachineModel(
    int cores, double together, double besidesNanos, MessageCost hop, MessageCost collective) {}
