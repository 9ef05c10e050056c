/**
 * The dispatcher: it takes readings from the broker, admits them to the filters, takes checkpoints
 * and restores runs.
 */
package org.cartostream.topology.dispatch;
