package org.cartostream.deploy.cluster;

/**
 * Options of a cluster that is to be made.
 *
 * @param secure true for TLS on all connections
 * @param workerHeapMegabytes most that a worker's heap takes
 * @param open true if without TLS servers may be reached from other machines
 */
public record ClusterOptions(boolean secure, int workerHeapMegabytes, boolean open) {}
