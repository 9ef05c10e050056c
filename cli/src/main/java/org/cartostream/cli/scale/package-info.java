/**
 * What more cores than this machine has would give: a discrete-event model of the topology, fed
 * with measured compute times and measured costs of messages.
 *
 * <p>{@link org.cartostream.cli.scale.Model} plays the readings through the threads of a service,
 * in virtual time. It knows no particles: what each task computes for each reading comes from a
 * {@link org.cartostream.topology.Rehearsal}.
 */
package org.cartostream.cli.scale;
