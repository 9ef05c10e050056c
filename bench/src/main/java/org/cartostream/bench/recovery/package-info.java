/** Measurements of runs while processes of a cluster are killed, and of the cost of checkpoints. */
package org.cartostream.bench.recovery;
