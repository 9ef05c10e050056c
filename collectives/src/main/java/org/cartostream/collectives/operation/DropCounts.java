package org.cartostream.collectives.operation;

/**
 * Counts of the frames that a member has dropped so far.
 *
 * @param fenced frames of an older epoch
 * @param late parts of rounds that were over at this member, and rounds that it skipped, although
 *     others had begun them
 * @param expired rounds that others began and this member never entered
 * @param crowded frames and calls of robots beyond {@link CollectiveSettings#maxRobots}
 */
public record DropCounts(long fenced, long late, long expired, long crowded) {}
