package org.cartostream.deploy.cluster;

/**
 * Options for making a cluster.
 *
 * @param secure true for TLS on all connections
 * @param workerHeapMegabytes maximum heap of a worker
 * @param open true if servers without TLS may be reached from other machines
 */
public record ClusterOptions(boolean secure, int workerHeapMegabytes, boolean open) {}
