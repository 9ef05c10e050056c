/**
 * The dispatcher: takes readings from the broker, lets them in, takes checkpoints, restores runs.
 */
package org.cartostream.topology.dispatch;
