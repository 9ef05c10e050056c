/**
 * A cluster made and unmade by one command: ZooKeeper, RabbitMQ, and Storm's Nimbus and supervisors
 * as processes of their own, on this machine or on several {@link
 * org.cartostream.cli.cluster.Host}s.
 *
 * <p>All of a cluster is in one folder, its {@link org.cartostream.cli.cluster.ClusterHome}. Every
 * process that it starts, and every process that those start, carries the folder's name in its
 * environment: so whatever is left of a cluster is found by that, and not by what it happens to be
 * called.
 */
package org.cartostream.cli.cluster;
